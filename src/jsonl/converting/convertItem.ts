import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { customIdPattern } from '../../contract/customId';
import type { ProblemText } from '../../contract/problem';
import { withoutEnds } from '../../shared/trim';
import { derivedId, freeId } from '../files/derivedIds';
import { IdTable } from '../files/idTable';
import { type ConvertOptions, ParamsConverter } from './chatParams';
import { type ConversionNotes, NotConvertible } from './conversionNotes';
import type { ForeignItem, ItemLayout } from './foreignItems';
import { RawJson } from './rawJson';

/**
 * Kind of an item. A `request` or `params` is in this service's format. A `batch-line` is a batch line of another service (`custom_id`,
 * `method`, `url`, `body`). A `chat` is a bare chat in another service's format or without a model.
 */
export type ItemKind = 'request' | 'params' | 'batch-line' | 'chat';

export function countKinds(): Record<ItemKind, number> {
  return { request: 0, params: 0, 'batch-line': 0, chat: 0 };
}

/** Matches ids that look like generated ids. */
export const generatedIdPattern = /^(?:line|request)-\d+(?:-\d+)?$/;

/** Converts items of one file to requests. Keeps track of the ids used so far. */
export class ItemConverter {
  private readonly taken: ReadonlySet<string>;
  private readonly used = new IdTable();

  constructor(
    private readonly layout: ItemLayout,
    private readonly options: ConvertOptions,
    private readonly notes: ConversionNotes,
  ) {
    this.taken = new Set(options.takenIds);
  }

  /** Returns the line of a request file, or the reason why the item can't be converted. */
  convert(item: ForeignItem): { readonly kind: ItemKind; readonly line: string } | { readonly failure: ProblemText } {
    const { line, column, number } = item;
    this.notes.position = { line, column, number };
    this.notes.at = '';
    try {
      const known = readItem(item);
      return { kind: known.kind, line: this.toLine(known, item) };
    } catch (error) {
      if (!(error instanceof NotConvertible)) {
        throw error;
      }
      return { failure: error.text };
    }
  }

  private toLine(known: KnownItem, item: ForeignItem): string {
    const { kind, isForeign, body, at } = known;
    if (kind === 'request') {
      for (const key of body.keys()) {
        if (key !== 'custom_id' && key !== 'params') {
          this.notes.add(key, 'Unsupported, kept. A quick fix moves it to another file.');
        }
      }
      const given = givenId(body.given('custom_id'));
      const id = given === undefined ? undefined : this.chosenId(given, item);
      return id === undefined || id === given ? body.json : body.withField('custom_id', JSON.stringify(id));
    }
    if (kind === 'batch-line') {
      this.notes.addOthers(known.item, envelopeFields, '');
    }
    this.notes.at = at;
    const params = isForeign ? new ParamsConverter(body, this.notes).convert(this.options) : body.json;
    return `{"custom_id":${this.idFor(known, item)},"params":${params}}`;
  }

  private idFor({ id }: KnownItem, item: ForeignItem): string {
    const { line, number } = item;
    const given = givenId(id);
    if (given === undefined) {
      const generated = this.layout === 'lines' ? derivedId(line) : `request-${number + 1}`;
      return JSON.stringify(freeId(generated, candidate => this.taken.has(candidate)));
    }
    const chosen = this.chosenId(given, item);
    return id?.string === chosen ? id.json : JSON.stringify(chosen);
  }

  /** Returns the id for an item that has an id. Only an id that is invalid or already used is changed. */
  private chosenId(given: string, { number }: ForeignItem): string {
    let id = customIdPattern.test(given) ? given : fitId(given);
    if (this.used.findText(id) >= 0) {
      id = fitId(`${given}-${number + 1}`);
    }
    this.used.addText(id);
    if (id !== given) {
      this.notes.addChangedId(given, id);
    }
    return id;
  }
}

const envelopeFields = ['custom_id', 'recordId', 'method', 'url', 'body', 'modelInput'];

/** Parses and classifies an item. Throws a `NotConvertible` if the item is not a request. */
export function readItem({ bytes, problem }: ForeignItem): KnownItem {
  if (!isUtf8(bytes)) {
    throw new NotConvertible('Save the file as UTF-8.');
  }
  const parsed = problem ?? RawJson.parse(bytes.toString());
  if (!(parsed instanceof RawJson)) {
    throw new NotConvertible(parsed.template, ...parsed.args);
  }
  return knowItem(parsed);
}

/** Returns an existing id as text. A number becomes its digits. */
export function givenId(id: RawJson | undefined): string | undefined {
  return id === undefined || id.string !== undefined ? id?.string : typeof id.value === 'number' ? id.json : undefined;
}

/** Derives a valid id from any text. Appends a hash, so that equal texts give equal ids and different texts different ids. */
function fitId(id: string): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 8);
  const rest = withoutEnds(id.replace(/[^a-zA-Z0-9_-]+/g, '-'), '-').slice(0, 64 - 9);
  return rest === '' ? hash : `${rest}-${hash}`;
}

interface KnownItem {
  readonly kind: ItemKind;
  /** True if `body` is in another service's format, false if it is valid params of this service. */
  readonly isForeign: boolean;
  readonly item: RawJson;
  /** The chat or the params. For a `request`, the whole item. */
  readonly body: RawJson;
  /** Path of the body in the item, for notes: empty, or with a trailing dot. */
  readonly at: string;
  readonly id: RawJson | undefined;
}

const foreignFields = [
  'max_completion_tokens',
  'stop',
  'n',
  'response_format',
  'functions',
  'function_call',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
  'seed',
  'parallel_tool_calls',
  'reasoning_effort',
  'user',
];
const ownRoles: ReadonlySet<unknown> = new Set(['user', 'assistant']);
const foreignParts: ReadonlySet<unknown> = new Set(['image_url', 'input_audio', 'file', 'refusal']);

/** URL patterns of endpoints other than messages, each with a name for its input. */
const otherEndpoints: readonly (readonly [RegExp, string])[] = [
  [/\/embeddings$/, 'embeddings'],
  [/\/responses$/, 'responses'],
  [/\/images\//, 'images'],
  [/\/moderations$/, 'moderations'],
  [/\/audio\//, 'audio'],
  [/\/completions$/, 'completions'],
];

/** Classifies an item. Throws a `NotConvertible` if the item can't become a request. */
function knowItem(item: RawJson): KnownItem {
  if (!item.isObject) {
    throw new NotConvertible('Expected a JSON object.');
  }
  const id = item.given('custom_id') ?? item.given('recordId');
  const body = item.get('body') ?? item.get('modelInput');
  if (body?.isObject === true) {
    return knowBatchLine(item, body, id);
  }
  if (item.get('params')?.isObject === true) {
    return { kind: 'request', isForeign: false, item, body: item, at: '', id };
  }
  if (item.get('messages')?.isArray === true) {
    const isOwn =
      item.get('model')?.string !== undefined && item.given('max_tokens') !== undefined && id === undefined && !isForeignChat(item);
    return { kind: isOwn ? 'params' : 'chat', isForeign: !isOwn, item, body: item, at: '', id };
  }
  throw new NotConvertible('Unknown request format.');
}

function knowBatchLine(item: RawJson, body: RawJson, id: RawJson | undefined): KnownItem {
  const field = item.get('body') === undefined ? 'modelInput' : 'body';
  const url = item.get('url')?.string?.replace(/[?#].*/s, '') ?? '';
  if (!url.endsWith('/chat/completions')) {
    const other = otherEndpoints.find(([pattern]) => pattern.test(url))?.[1];
    if (other !== undefined) {
      throw new NotConvertible('Only chats can be converted, not {0}.', other);
    }
  }
  if (body.get('messages')?.isArray !== true) {
    throw new NotConvertible('The messages are missing.');
  }
  const isOwn = url.endsWith('/messages') && body.get('model')?.string !== undefined && body.given('max_tokens') !== undefined;
  return { kind: 'batch-line', isForeign: !isOwn, item, body, at: `${field}.`, id };
}

function isForeignChat(chat: RawJson): boolean {
  return (
    foreignFields.some(field => chat.get(field) !== undefined) ||
    chat
      .get('tools')
      ?.items()
      .some(tool => tool.get('type')?.string === 'function') === true ||
    chat.get('messages')?.items().some(isForeignMessage) === true
  );
}

function isForeignMessage(message: RawJson): boolean {
  const content = message.get('content');
  return (
    !ownRoles.has(message.get('role')?.value) ||
    message.get('tool_calls') !== undefined ||
    content?.items().some(part => foreignParts.has(part.get('type')?.value)) === true
  );
}
