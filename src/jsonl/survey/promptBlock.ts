/** Parts of a prompt in the order in which the service joins them. */
export const promptSections = ['tools', 'system', 'messages'] as const;
export const [toolsSection, systemSection, messagesSection] = [0, 1, 2] as const;

/** Kinds of markers for the end of a cached prefix. */
export const markerKind = { none: 0, fiveMinutes: 1, oneHour: 2 } as const;

/**
 * Position and hashes of a tool, or of a content block of the system prompt or a message. A plain string counts as a block (contract: it
 * equals one text block).
 */
export class PromptBlock {
  /** False if the block can't have `cache_control`: thinking, empty texts and deferred tools. */
  cacheable = true;
  marker: number = markerKind.none;
  /** Content hash. Ignores white space, `cache_control` and the order of the block's own fields. */
  hashA = 0;
  hashB = 0;
  /** 64-bit hash of the model and the whole prompt up to and including this block. */
  prefixA = 0;
  prefixB = 0;
  /** Tokens of the prompt up to and including this block. */
  low = 0;
  likely = 0;
  high = 0;

  constructor(
    readonly section: number,
    /** Index in `tools`, `system` or `messages`. -1 if the system prompt is a string. */
    readonly first: number,
    /** Index in the `content` of a message. -1 if the content is a string, and in other sections. */
    readonly second: number,
    readonly isString: boolean,
  ) {}

  /** 64 bits of the prefix as 16 hexadecimal digits. */
  get prefixId(): string {
    return [this.prefixA, this.prefixB].map(word => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

/** Returns the JSON path of a block in its line. */
export function promptPath(
  { section, first, second }: { readonly section: number; readonly first: number; readonly second: number },
  isWhole: boolean,
): readonly (string | number)[] {
  const steps = [...(isWhole ? ['params'] : []), promptSections[section] as string];
  const content = section === 2 ? ['content', ...(second >= 0 ? [second] : [])] : [];
  return [...steps, ...(first >= 0 ? [first] : []), ...content];
}
