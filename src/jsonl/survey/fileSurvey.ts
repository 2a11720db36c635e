/** Estimated number of tokens. The estimate is a range because the service's tokenizer is unknown. */
export interface TokenRange {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/** Options of a survey. */
export interface SurveyOptions {
  /** Minimum number of tokens of prefixes to suggest for caching. The contract names no number. */
  readonly minimumCachedTokens: number;
  /** Lines to survey, 0-based and ascending. Default: all lines. */
  readonly lines?: Uint32Array | undefined;
}

/** Summary of a request file for the sheet before sending. Quotes no text except masked samples. */
export interface FileSurvey {
  readonly requests: number;
  /** Lines that are neither blank nor valid requests, or are longer than 32 MiB. No other number of the survey includes these lines. */
  readonly skippedLines: number;
  /** Tokens of all prompts: tools, system and messages. */
  readonly input: TokenRange;
  /** Sum of `max_tokens`, the upper bound of generated tokens. */
  readonly maxOutput: number;
  /** Number of requests without a valid `max_tokens`. These requests are not included in `maxOutput`. */
  readonly withoutMaxTokens: number;
  /** Sums by model, most requests first. Requests without a model, and with models beyond the first 1,000, are counted under ''. */
  readonly models: readonly ModelSurvey[];
  /** Prompt prefixes that many requests share, at most 20, ordered from most to least saving. */
  readonly prefixes: readonly SharedPrefix[];
  /** False if there were more different prompts than the survey compares. Rare prefixes may then be missing and counts too low. */
  readonly prefixesAreExact: boolean;
  /** Secrets and personal data that match patterns, secrets first. */
  readonly findings: readonly SensitiveFinding[];
  /** Number of images, documents and other blocks with tokens that can't be estimated from text. */
  readonly opaqueBlocks: number;
}

export interface ModelSurvey {
  readonly model: string;
  readonly requests: number;
  readonly input: TokenRange;
  readonly maxOutput: number;
  /** Maximum number of input tokens before cache markers, by the lifetime of the cache: five minutes or one hour. */
  readonly cached5m: number;
  readonly cached1h: number;
  /** Hash of the tools and system prompt if they are the same in all requests of the model, otherwise 0. */
  readonly template: number;
}

/** Start of the prompt (tools, then system, then messages) shared by requests of one model. */
export interface SharedPrefix {
  /** Id derived from the content. The id is the same in every survey of the same requests. */
  readonly id: string;
  readonly model: string;
  readonly requests: number;
  /** First line with the prefix, 0-based. */
  readonly firstLine: number;
  /**
   * JSON path of the last shared block in the line, where `cache_control` belongs: `['params', 'system', 0]`. A plain string counts as a
   * block: `['params', 'system']`.
   */
  readonly breakpoint: readonly (string | number)[];
  readonly tokens: TokenRange;
  /**
   * Number of these requests with a marker at the end of the prefix. The marker is the `cache_control` of the last shared block, or a
   * top-level `cache_control` if that block ends the prompt.
   */
  readonly marked: number;
  /** Id of the listed prefix that this prefix extends, if there is one. The saving of this prefix excludes the saving of the parent. */
  readonly parent: string | undefined;
}

const secretPatterns = ['private-key', 'api-key', 'json-web-token', 'bearer-token', 'connection-string', 'token-field'] as const;
const personalPatterns = ['payment-card', 'bank-account', 'social-security-number', 'e-mail', 'phone-number'] as const;

/** Pattern ids of findings, secrets first. `token-field` is a contract field for a secret. */
export const sensitivePatterns = [...secretPatterns, ...personalPatterns] as const;
export type SensitivePattern = (typeof sensitivePatterns)[number];

/** Returns whether a pattern finds secrets, as opposed to personal data. */
export function isSecret(pattern: SensitivePattern): boolean {
  return secretPatterns.some(secret => secret === pattern);
}

/** Texts of one kind that should not be in a request file. */
export interface SensitiveFinding {
  /** Pattern id: `private-key`, `api-key`, `e-mail`, ... */
  readonly pattern: SensitivePattern;
  readonly kind: 'secret' | 'personal';
  readonly count: number;
  /** First occurrences, at most 20, with 0-based lines and UTF-16 columns. */
  readonly ranges: readonly SensitiveRange[];
}

export interface SensitiveRange {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** At most the first 4 characters, followed by dots. */
  readonly masked: string;
}

/** Lifetime of a cached prefix. */
export type CacheTtl = '5m' | '1h';

/** Source and target of a copy of a file. The copy has cache markers in the requests that have one of the prefixes. */
export interface MarkSource {
  readonly path: string;
  readonly outPath: string;
  readonly prefixes: readonly Pick<SharedPrefix, 'id'>[];
  readonly ttl: CacheTtl;
}

export interface MarkReport {
  /** Number of requests with at least one new marker. */
  readonly requests: number;
  readonly markers: number;
  /** Number of positions that already had a marker. */
  readonly already: number;
  /** Number of positions without a new marker, because the request has four markers, the most that services accept. */
  readonly full: number;
  /** Number of new markers with another lifetime than requested, because a marker of `1h` must not follow a marker of `5m`. */
  readonly otherTtl: number;
}

/** Source and target of a file with one request per prefix. These requests fill the cache if they are sent before the actual batch. */
export interface PrimerSource {
  readonly path: string;
  readonly outPath: string;
  readonly prefixes: readonly Pick<SharedPrefix, 'id' | 'firstLine'>[];
  readonly ttl: CacheTtl;
}

export interface PrimerReport {
  readonly requests: number;
}
