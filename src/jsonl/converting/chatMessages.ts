import { createHash } from 'node:crypto';
import { typeOfBase64 } from '../rules/base64Type';
import { type ConversionNotes, NotConvertible } from './conversionNotes';
import { RawJson } from './rawJson';

/** Types of content blocks in this service's own format. Such blocks are copied unchanged. */
const ownBlocks: ReadonlySet<string> = new Set([
  'image',
  'document',
  'search_result',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
]);
const contentPath = 'messages[].content[].';
const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/**
 * Converts messages with the roles system, developer, user, assistant and tool. System texts are moved to the front, in order. Tool calls
 * become `tool_use` blocks, and their results become `tool_result` blocks of a user turn. Returns JSON texts. Throws a `NotConvertible` if
 * an essential part of the conversation would be lost.
 */
export function convertChat(messages: RawJson, notes: ConversionNotes): { readonly system: string | undefined; readonly messages: string } {
  const system: string[] = [];
  const turns: string[] = [];
  let isOneText = true;
  for (const message of messages.items()) {
    const role = message.get('role')?.string;
    noteFields(message, role, notes);
    switch (role) {
      case 'system':
      case 'developer': {
        if (turns.length > 0) {
          notes.add(`messages[].role`, 'A "{0}" message was moved to "system".', role);
        }
        const content = message.given('content');
        isOneText &&= content?.isArray !== true;
        system.push(...textsOf(content, notes));
        break;
      }
      case 'user':
        turns.push(turn('user', jsonOf(message.given('content'), notes)));
        break;
      case 'assistant':
        turns.push(...assistantTurn(message, notes));
        break;
      case 'tool':
        turns.push(turn('user', `[${toolResult(message, notes)}]`));
        break;
      default:
        throw new NotConvertible('Unknown role {0}.', role ?? 'none');
    }
  }
  return { system: toSystem(system, isOneText), messages: `[${turns.join(',')}]` };
}

function toSystem(texts: readonly string[], isOneText: boolean): string | undefined {
  const [first] = texts;
  if (first === undefined) {
    return undefined;
  }
  return texts.length === 1 && isOneText ? first : `[${texts.map(textBlock).join(',')}]`;
}

function turn(role: 'user' | 'assistant', content: string): string {
  return `{"role":"${role}","content":${content}}`;
}

export function textBlock(text: string): string {
  return `{"type":"text","text":${text}}`;
}

const messageFields = ['role', 'content', 'refusal', 'function_call'];

function noteFields(message: RawJson, role: string | undefined, notes: ConversionNotes): void {
  const more = role === 'assistant' ? ['tool_calls'] : role === 'tool' ? ['tool_call_id'] : [];
  notes.addOthers(message, [...messageFields, ...more], 'messages[].');
  if (message.given('function_call') !== undefined) {
    throw new NotConvertible('Replace function_call with tool_calls first.');
  }
}

function textsOf(content: RawJson | undefined, notes: ConversionNotes): readonly string[] {
  if (content?.string !== undefined) {
    return content.string === '' ? [] : [content.json];
  }
  return (content?.items() ?? []).flatMap(part => {
    const text = part.get('text');
    if (part.get('type')?.string !== 'text' || text?.string === undefined) {
      throw new NotConvertible("A system message isn't text.");
    }
    notes.addOthers(part, ['type', 'text'], contentPath);
    return text.string === '' ? [] : [text.json];
  });
}

/** Converts content that is a text or a list of blocks. */
function jsonOf(content: RawJson | undefined, notes: ConversionNotes): string {
  if (content === undefined) {
    throw new NotConvertible('A message has no content.');
  }
  if (!content.isArray) {
    return content.json;
  }
  const blocks = content.items().flatMap(part => block(part, notes));
  return blocks.length === 0 && content.items().length > 0 ? '""' : `[${blocks.join(',')}]`;
}

function block(part: RawJson, notes: ConversionNotes): readonly string[] {
  const type = part.get('type')?.string ?? '';
  if (ownBlocks.has(type)) {
    return [part.json];
  }
  switch (type) {
    case 'text': {
      const text = part.get('text');
      if (text?.string === undefined) {
        throw new NotConvertible('A message has no content.');
      }
      notes.addOthers(part, ['type', 'text', 'cache_control'], contentPath);
      const cache = part.given('cache_control');
      const marker = cache === undefined ? '' : `,"cache_control":${cache.json}`;
      return text.string === '' ? [] : [`{"type":"text","text":${text.json}${marker}}`];
    }
    case 'refusal': {
      const text = part.get('refusal');
      return text?.string === undefined || text.string === '' ? [] : [textBlock(text.json)];
    }
    case 'image_url':
      return [imageBlock(part, notes)];
    case 'file':
      return [documentBlock(part.get('file'), notes)];
    default:
      throw new NotConvertible("The type {0} isn't supported.", type);
  }
}

function imageBlock(part: RawJson, notes: ConversionNotes): string {
  const image = part.get('image_url');
  // Some clients give the URL directly instead of in an object.
  const url = image?.string === undefined ? image?.get('url') : image;
  if (image?.isObject === true && image.given('detail') !== undefined && image.get('detail')?.string !== 'auto') {
    notes.add('messages[].content[].image_url.detail', 'Not supported, left out.');
  }
  if (url?.string !== undefined && /^https?:\/\//i.test(url.string)) {
    return `{"type":"image","source":{"type":"url","url":${url.json}}}`;
  }
  const data = dataUrl(url?.string ?? '');
  const statedType = data?.type === 'image/jpg' ? 'image/jpeg' : (data?.type ?? '');
  // Services check the bytes, not the declared type, so the detected type takes precedence.
  const type = data === undefined ? '' : (typeOfBase64(data.data) ?? statedType);
  if (data === undefined || !imageTypes.has(type)) {
    throw new NotConvertible('An image needs a URL, or base64 of a JPEG, PNG, GIF or WebP.');
  }
  if (type !== statedType) {
    notes.add('messages[].content[].image_url', 'Image type corrected from {0} to {1}.', statedType, type);
  }
  return `{"type":"image","source":{"type":"base64","media_type":"${type}","data":${JSON.stringify(data.data)}}}`;
}

function documentBlock(file: RawJson | undefined, notes: ConversionNotes): string {
  const data = dataUrl(file?.given('file_data')?.string ?? '');
  if (file === undefined || data === undefined || (typeOfBase64(data.data) ?? data.type) !== 'application/pdf') {
    throw new NotConvertible('A file must be a base64-encoded PDF.');
  }
  notes.addOthers(file, ['file_data', 'filename'], `${contentPath}file.`);
  const name = file.given('filename');
  const title = name?.string === undefined || name.string === '' || name.string.length > 500 ? '' : `,"title":${name.json}`;
  return `{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":${JSON.stringify(data.data)}}${title}}`;
}

function dataUrl(url: string): { readonly type: string; readonly data: string } | undefined {
  const comma = url.indexOf(',');
  // A media type can have parameters such as a charset.
  const head = /^data:([^;,]+)(?:;[^;,]+)*;base64$/i.exec(url.slice(0, Math.max(0, Math.min(comma, 250))));
  return head?.[1] === undefined ? undefined : { type: head[1].toLowerCase(), data: url.slice(comma + 1) };
}

function assistantTurn(message: RawJson, notes: ConversionNotes): readonly string[] {
  const content = message.given('content') ?? message.given('refusal');
  const calls = message.given('tool_calls')?.items() ?? [];
  if (calls.length === 0) {
    if (content !== undefined) {
      return [turn('assistant', jsonOf(content, notes))];
    }
    notes.add('messages[]', 'An empty assistant message was left out.');
    return [];
  }
  const textBlocks = content?.isArray
    ? content.items().flatMap(part => block(part, notes))
    : content === undefined || content.string === ''
      ? []
      : [textBlock(content.json)];
  return [turn('assistant', `[${[...textBlocks, ...calls.map(toolUse)].join(',')}]`)];
}

function toolUse(call: RawJson): string {
  const type = call.get('type')?.string ?? 'function';
  const called = call.get('function');
  const name = called?.get('name');
  if (type !== 'function' || called === undefined || name?.string === undefined) {
    throw new NotConvertible("The type {0} isn't supported.", type);
  }
  return `{"type":"tool_use","id":${toolId(call.get('id'))},"name":${name.json},"input":${inputOf(called.get('arguments'))}}`;
}

/** Returns the arguments of a tool call as a JSON object. The arguments are usually JSON inside a text. */
function inputOf(given: RawJson | undefined): string {
  if (given?.isObject === true) {
    return given.json;
  }
  const text = given?.string?.trim() ?? '';
  if (text === '') {
    return '{}';
  }
  const parsed = RawJson.parse(text);
  if (!(parsed instanceof RawJson) || !parsed.isObject) {
    throw new NotConvertible('Arguments must be a JSON object.');
  }
  return parsed.json;
}

function toolResult(message: RawJson, notes: ConversionNotes): string {
  const content = message.given('content');
  const result = content === undefined || content.string === '' ? '' : `,"content":${jsonOf(content, notes)}`;
  return `{"type":"tool_result","tool_use_id":${toolId(message.get('tool_call_id'))}${result}}`;
}

/** Returns the id if it is valid, or a valid id derived from it. Equal ids stay equal, so calls and results match. */
function toolId(given: RawJson | undefined): string {
  const id = given?.string;
  if (given === undefined || id === undefined || id === '') {
    throw new NotConvertible('A tool call or result has no ID.');
  }
  if (/^[a-zA-Z0-9_-]+$/.test(id)) {
    return given.json;
  }
  return `"${id.replace(/[^a-zA-Z0-9_-]+/g, '-').slice(0, 40)}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}"`;
}
