import { NotConvertible } from './conversionNotes';
import type { ItemKind } from './convertingJobs';
import type { RawJson } from './rawJson';

/** Classified item with its relevant parts. */
export interface KnownItem {
  readonly kind: ItemKind;
  /** True if `body` is in another service's format, false if it is valid params of this service. */
  readonly isForeign: boolean;
  readonly item: RawJson;
  /** The chat or the params. For a request, the whole item. */
  readonly body: RawJson;
  /** Path of the body in the item, for notes: empty, or with a trailing dot. */
  readonly at: string;
  /** Existing id, if any. */
  readonly id: RawJson | undefined;
}

/** Fields that identify a chat of another service. */
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

/** URLs of endpoints that don't take messages, with a name for their input. */
const otherEndpoints: readonly (readonly [RegExp, string])[] = [
  [/\/embeddings$/, 'embeddings'],
  [/\/responses$/, 'responses'],
  [/\/images\//, 'images'],
  [/\/moderations$/, 'moderations'],
  [/\/audio\//, 'audio'],
  [/\/completions$/, 'completions'],
];

/** Classifies an item. Throws a `NotConvertible` if it can't become a request. */
export function knowItem(item: RawJson): KnownItem {
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
  if (['response', 'result', 'error', 'choices'].some(field => item.get(field) !== undefined)) {
    throw new NotConvertible('Not a request of a known form.');
  }
  throw new NotConvertible('Not a request of a known form.');
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
    throw new NotConvertible('The messages are missing.', field);
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
