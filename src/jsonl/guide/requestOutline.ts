import { type LooseValue, memberOf, memberText, parseLoose, textOf } from './looseJson';

export interface OutlinePart {
  readonly kind: 'system' | 'message' | 'tool';
  readonly name: string;
  readonly detail: string;
  readonly start: number;
  readonly end: number;
}

export interface RequestOutline {
  readonly customId: string | undefined;
  readonly model: string | undefined;
  readonly words: string;
  /** Columns of the id's value, or of the outermost object. */
  readonly start: number;
  readonly end: number;
  readonly parts: readonly OutlinePart[];
}

const maxWords = 80;
/** Maximum number of tools and of messages in an outline. A longer outline isn't useful. */
const maxParts = 200;

/** Returns the outline of the request in a line, if any. The line may be invalid. `withParts` adds its parts. */
export function outlineOf(text: string, withParts: boolean): RequestOutline | undefined {
  const root = parseLoose(text);
  if (root?.kind !== 'object') {
    return undefined;
  }
  const params = memberOf(text, root, 'params')?.value ?? root;
  const id = memberOf(text, root, 'custom_id')?.value;
  const messages = memberOf(text, params, 'messages')?.value?.items ?? [];
  if (id === undefined && params === root && messages.length === 0 && memberOf(text, root, 'model') === undefined) {
    return undefined;
  }
  const spoken = messages.find(message => memberText(text, message, 'role') === 'user') ?? messages[0];
  return {
    customId: id?.kind === 'text' ? textOf(text, id) : undefined,
    model: memberText(text, params, 'model'),
    words: spoken === undefined ? '' : firstWords(text, memberOf(text, spoken, 'content')?.value),
    start: id?.start ?? root.start,
    end: id?.end ?? root.end,
    parts: withParts ? partsOf(text, params, messages) : [],
  };
}

function partsOf(text: string, params: LooseValue, messages: readonly LooseValue[]): readonly OutlinePart[] {
  const parts: OutlinePart[] = [];
  const system = memberOf(text, params, 'system');
  if (system?.value !== undefined) {
    parts.push({ kind: 'system', name: 'system', detail: firstWords(text, system.value), start: system.key.start, end: system.value.end });
  }
  for (const tool of (memberOf(text, params, 'tools')?.value?.items ?? []).slice(0, maxParts)) {
    const type = memberText(text, tool, 'type') ?? '';
    const name = memberText(text, tool, 'name') ?? memberText(text, tool, 'mcp_server_name');
    parts.push({ kind: 'tool', name: name || type || 'tool', detail: name ? type : '', start: tool.start, end: tool.end });
  }
  for (const message of messages.slice(0, maxParts)) {
    const name = memberText(text, message, 'role') || 'message';
    parts.push({
      kind: 'message',
      name,
      detail: firstWords(text, memberOf(text, message, 'content')?.value),
      start: message.start,
      end: message.end,
    });
  }
  return parts.sort((a, b) => a.start - b.start);
}

/** Returns the start of a text, or of the first text block, on one line. If no block has text, returns the type of the first block. */
function firstWords(source: string, content: LooseValue | undefined): string {
  if (content?.kind === 'text') {
    return startOf(source, content);
  }
  for (const block of content?.items ?? []) {
    const text = memberOf(source, block, 'text')?.value;
    if (text?.kind === 'text') {
      return startOf(source, text);
    }
  }
  const [first] = content?.items ?? [];
  return memberText(source, first, 'type') ?? '';
}

/** Returns the start of a text without decoding all of it, because it can be several megabytes long. */
function startOf(source: string, value: LooseValue): string {
  // An escape has at most six characters.
  const limit = value.start + 1 + maxWords * 6;
  const cut = value.end > limit ? { ...value, end: limit, closed: false } : value;
  const words = textOf(source, cut.closed ? cut : { ...cut, end: source.slice(0, cut.end).replace(/\\u?[\da-fA-F]{0,3}$/, '').length });
  return words.replace(/\s+/g, ' ').trim().slice(0, maxWords);
}
