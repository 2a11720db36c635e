/** Parts of a prompt in the order in which the service puts them together. */
export const promptSections = ['tools', 'system', 'messages'] as const;

/** How a block is marked as the end of a cached prefix. */
export const markerKind = { none: 0, fiveMinutes: 1, oneHour: 2 } as const;

/**
 * A tool, a block of the system prompt or of a message's content, where it lies in its line. A text that stands as a plain string
 * is a block too (contract: it equals one text block).
 */
export class PromptBlock {
  /** Index in `promptSections`. */
  section = 0;
  /** Index in `tools`, `system` or `messages`; -1 for a system prompt that is a string. */
  first = -1;
  /** Index in a message's `content`; -1 when that is a string, and elsewhere. */
  second = -1;
  /** The value in the bytes. */
  start = 0;
  end = 0;
  isString = false;
  /** Whether `cache_control` can stand here: not at thinking, empty texts and tools whose loading is deferred. */
  cacheable = true;
  /** One of `markerKind`. */
  marker: number = markerKind.none;
  /** The value of `cache_control`, when the field is there; -1 when not. */
  markerStart = -1;
  markerEnd = -1;
  /** What the block says: equal for blocks that differ in white space, `cache_control` or the order of their own fields only. */
  hashA = 0;
  hashB = 0;
  /** The role of the message that begins with this block, as a number; 0 for blocks that begin none. */
  role = 0;
  /** Of the whole prompt of this model up to and with this block: 64 bits that say what it holds. */
  prefixA = 0;
  prefixB = 0;
  /** Tokens: of this block until the line was read, then of the prefix. */
  low = 0;
  likely = 0;
  high = 0;

  reset(section: number, first: number, second: number, start: number, isString: boolean): void {
    this.section = section;
    this.first = first;
    this.second = second;
    this.start = start;
    this.isString = isString;
    this.cacheable = true;
    this.marker = markerKind.none;
    this.markerStart = -1;
    this.markerEnd = -1;
    this.role = 0;
  }

  /** JSON path of the block in its line. */
  path(isWhole: boolean): (string | number)[] {
    const path: (string | number)[] = isWhole ? ['params'] : [];
    path.push(promptSections[this.section] as string);
    if (this.first >= 0) {
      path.push(this.first);
    }
    if (this.section === 2) {
      path.push('content');
      if (this.second >= 0) {
        path.push(this.second);
      }
    }
    return path;
  }

  get prefixId(): string {
    return toPrefixId(this.prefixA, this.prefixB);
  }
}

/** Sixteen hexadecimal digits for the 64 bits of a prefix. */
export function toPrefixId(prefixA: number, prefixB: number): string {
  return `${toHex(prefixA)}${toHex(prefixB)}`;
}

function toHex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
