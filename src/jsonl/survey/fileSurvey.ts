/** Tokens as a range: what is known is the text, not the service's tokenizer. */
export interface TokenRange {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/** What a survey looks by. */
export interface SurveyOptions {
  /** Shortest prefix, in tokens, for which marking it as cacheable is proposed; the contract names no number. */
  readonly minimumCachedTokens: number;
}

/** What a request file holds, for the sheet before sending. Nothing of a text is quoted but masked samples. */
export interface FileSurvey {
  readonly requests: number;
  /** Tokens of all prompts: tools, system and messages. */
  readonly input: TokenRange;
  /** Sum of `max_tokens`: more cannot be generated. */
  readonly maxOutput: number;
  /** By model, most requests first. */
  readonly models: readonly ModelSurvey[];
  /** Prompt prefixes that many requests share, those that save most first, at most 20. */
  readonly prefixes: readonly SharedPrefix[];
  /** Secrets and personal data found by pattern. */
  readonly findings: readonly SensitiveFinding[];
  /** Images, documents and other content whose tokens are not estimated by their text. */
  readonly opaqueBlocks: number;
}

export interface ModelSurvey {
  readonly model: string;
  readonly requests: number;
  readonly input: TokenRange;
  readonly maxOutput: number;
}

/** A begin of the prompt (tools, then system, then messages) that requests of one model have in common. */
export interface SharedPrefix {
  /** Names the prefix within this survey. */
  readonly id: string;
  readonly model: string;
  readonly requests: number;
  /** Line of the first of them, from 0. */
  readonly firstLine: number;
  /** JSON path in the line of the last shared block, where `cache_control` belongs: `['params', 'system', 0]`. */
  readonly breakpoint: readonly (string | number)[];
  /** Tokens of the prefix in one request. */
  readonly tokens: TokenRange;
  /** Requests among them that have `cache_control` at the last shared block already, or at the top level. */
  readonly marked: number;
}

/** Texts of one kind that hardly belong into a request file. */
export interface SensitiveFinding {
  /** Id of the pattern: `private-key`, `api-key`, `e-mail`, ... */
  readonly pattern: string;
  readonly kind: 'secret' | 'personal';
  readonly count: number;
  /** The first places, at most 20; lines from 0, UTF-16 columns. */
  readonly places: readonly { readonly line: number; readonly start: number; readonly end: number; readonly masked: string }[];
}
