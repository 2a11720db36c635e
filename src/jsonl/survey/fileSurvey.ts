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
  /** Only these lines, from 0, ascending; all of them when it is not given. */
  readonly lines?: Uint32Array | undefined;
}

/** What a request file holds, for the sheet before sending. Nothing of a text is quoted but masked samples. */
export interface FileSurvey {
  readonly requests: number;
  /** Lines with text that are no request as JSON goes, or are longer than 32 MiB: they are in no other number here. */
  readonly skippedLines: number;
  /** Tokens of all prompts: tools, system and messages. */
  readonly input: TokenRange;
  /** Sum of `max_tokens`: more cannot be generated. */
  readonly maxOutput: number;
  /** Requests whose `max_tokens` is missing or no whole number from 0: nothing of them is in `maxOutput`. */
  readonly withoutMaxTokens: number;
  /** By model, most requests first; beyond 1,000 different ones, and for requests without a model, all under the model ''. */
  readonly models: readonly ModelSurvey[];
  /** Prompt prefixes that many requests share, those that save most first, at most 20. */
  readonly prefixes: readonly SharedPrefix[];
  /** False when there were more different prompts than are compared at once: rare prefixes can be missing, counts can be low. */
  readonly prefixesAreExact: boolean;
  /** Secrets and personal data found by pattern, secrets first. */
  readonly findings: readonly SensitiveFinding[];
  /** Images, documents and other content whose tokens are not estimated by their text. */
  readonly opaqueBlocks: number;
}

export interface ModelSurvey {
  readonly model: string;
  readonly requests: number;
  readonly input: TokenRange;
  readonly maxOutput: number;
  /** Maximum number of input tokens that are written to a cache for five minutes, and for one hour: those up to a marker. */
  readonly cached5m: number;
  readonly cached1h: number;
}

/** A begin of the prompt (tools, then system, then messages) that requests of one model have in common. */
export interface SharedPrefix {
  /** Names the prefix by what it holds: the same in every survey of the same requests. */
  readonly id: string;
  readonly model: string;
  readonly requests: number;
  /** Line of the first of them, from 0. */
  readonly firstLine: number;
  /** JSON path in the line of the last shared block, where `cache_control` belongs: `['params', 'system', 0]`. A text that stands as a plain string is a block too: `['params', 'system']`. */
  readonly breakpoint: readonly (string | number)[];
  /** Tokens of the prefix in one request. */
  readonly tokens: TokenRange;
  /** Requests among them whose last shared block has `cache_control` already, or is the last block of all below one at the top level. */
  readonly marked: number;
  /** Id of the listed prefix that this one goes on from, when there is one: what it saves goes beyond what that one saves. */
  readonly parent: string | undefined;
}

/** Texts of one kind that hardly belong into a request file. */
export interface SensitiveFinding {
  /** Id of the pattern: `private-key`, `api-key`, `e-mail`, ... */
  readonly pattern: SensitivePattern;
  readonly kind: 'secret' | 'personal';
  readonly count: number;
  /** The first places, at most 20; lines from 0, UTF-16 columns. */
  readonly places: readonly SensitivePlace[];
}

export interface SensitivePlace {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** At most the first 4 characters, then dots. */
  readonly masked: string;
}

/** What is looked for; `token-field` is a field of the contract that carries a secret. */
export type SensitivePattern =
  | 'private-key'
  | 'api-key'
  | 'json-web-token'
  | 'bearer-token'
  | 'connection-string'
  | 'token-field'
  | 'payment-card'
  | 'bank-account'
  | 'social-security-number'
  | 'e-mail'
  | 'phone-number';

/** How long the service keeps a cached prefix. */
export type CacheTtl = '5m' | '1h';

/** A copy of a request file to write, in which the requests that share one of the prefixes say so. */
export interface MarkSource {
  readonly path: string;
  readonly outPath: string;
  readonly prefixes: readonly Pick<SharedPrefix, 'id'>[];
  readonly ttl: CacheTtl;
}

export interface MarkReport {
  /** Requests that got at least one marker. */
  readonly requests: number;
  /** Markers written. */
  readonly markers: number;
  /** Places that had their marker already. */
  readonly already: number;
  /** Places left alone because the request has four markers, more than services take. */
  readonly full: number;
  /** Markers written with another ttl than asked: a marker of `1h` may not follow one of `5m`. */
  readonly otherTtl: number;
}

/** A file of requests to write that fill the cache before the batch itself: one for each prefix. */
export interface PrimerSource {
  /** The file that was surveyed. */
  readonly path: string;
  readonly outPath: string;
  readonly prefixes: readonly Pick<SharedPrefix, 'id' | 'firstLine'>[];
  readonly ttl: CacheTtl;
}

export interface PrimerReport {
  readonly requests: number;
}
