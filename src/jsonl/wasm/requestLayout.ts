// TypeScript and AssemblyScript. Layout of the tables and records that ../checking shares with the scan of requests.

/** Offsets in a node of the tables. A node describes the values allowed at a position. */
export enum Node {
  Flags = 0,
  Capture = 4,
  Min = 8,
  Max = 16,
  TextMin = 24,
  TextMax = 28,
  TextKind = 32,
  TextTable = 36,
  ItemsMin = 40,
  ItemsMax = 44,
  Item = 48,
  Object = 52,
  /** Kind of watch for rules beyond the schemas, or 0. */
  Watch = 56,
  Bytes = 60,
}

/** Flags for the kinds of values that a node allows. */
export enum Allow {
  Null = 1,
  Boolean = 2,
  Number = 4,
  Whole = 8,
  Text = 16,
  Array = 32,
  Object = 64,
  Any = 128,
  /** Set if the schema may accept more values than the node describes. */
  Unsure = 256,
}

/** Forms that a text may be limited to. */
export enum TextKind {
  Free,
  Identifier,
  ServerTool,
  Listed,
}

/** Text whose range is written to the record. */
export enum Capture {
  None,
  Id,
  Model,
}

/** Offsets in an object of the tables. An object describes the fields of a JSON object. */
export enum ObjectWord {
  Kind = 0,
  Table = 4,
  /** One bit for each required field, in 64 bits. */
  Required = 8,
  /** Node of all unlisted fields, or 0. */
  Other = 16,
  /** Maximum length of a name that may be a misspelling, for objects that allow other fields. */
  LongestSlip = 20,
  /** Object for unknown types of an object chosen by its type, or 0 if unknown types are not allowed. */
  Open = 24,
  Bytes = 28,
}

export enum ObjectKind {
  ByFields,
  ByType,
  /** Other fields are allowed, but may be misspellings. */
  Loose,
  /** Other fields are noted as errors. */
  Strict,
  /** Other fields are oddities. */
  Closed,
}

/** Kinds of values that are watched for rules beyond the schemas. */
export enum WatchKind {
  None,
  Set,
  /** Any value except null leaves the line to the rules. */
  Ask,
  /** Output format, which forbids a final assistant message. */
  Format,
  Temperature,
  TopP,
  MaxTokens,
  Budget,
  Stream,
  EmptyArray,
  Content,
  Fallbacks,
  Whole,
  Message,
  CacheMarker,
  EmptyText,
  /** This kind and all following kinds are strings. If a string has escapes, only the rules can decide. */
  ToolName,
  ChosenName,
  ChoiceType,
  Personal,
  Role,
  ToolUse,
  ToolResult,
  CacheTime,
  MediaType,
  Base64,
  Speed,
}

/** Bits that the scan sets for a line in addition to its oddities. */
export enum Note {
  /** Only the rules can decide whether there is a problem. */
  Ask = 1,
  /** The request or its params have an unknown field. */
  UnknownField = 2,
}

/** Result of the scan for a line. */
export enum ScanStatus {
  /** Left to the rules. The line may be valid. */
  Unknown,
  Request,
  Params,
  Blank,
  /** Object that is not a request. */
  Other,
}

/** Words of 32 bits of a line's record. Positions are addresses. Missing ranges are 0. */
export enum RecordWord {
  Start,
  End,
  Status,
  IdStart,
  IdEnd,
  ModelStart,
  ModelEnd,
  ValueStart,
  ValueEnd,
  /** Bits of `Note`, valid only if the scan recognizes the line. */
  Notes,
  /** Hash of the line's unfamiliar values, in two 32-bit words. */
  Oddities,
  /** `max_tokens`, rounded up and at most 2^32 - 1. 0 if `max_tokens` is missing. */
  MaxTokens = 12,
  Count = 14,
}
