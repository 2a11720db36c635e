/** Objects in a results line that have relevant keys. */
export enum KeyOwner {
  Line,
  Result,
  Message,
  Usage,
  CacheCreation,
  Block,
  Error,
  InnerError,
}

/** Meaning of a key. */
export enum Field {
  Other,
  CustomId,
  Result,
  ResultType,
  Message,
  StopReason,
  Model,
  Usage,
  InputTokens,
  OutputTokens,
  CacheReadTokens,
  CacheWriteTokens,
  CacheCreation,
  CacheWrite5mTokens,
  CacheWrite1hTokens,
  Content,
  BlockText,
  Error,
  ErrorType,
  ErrorMessage,
  InnerError,
  InnerErrorType,
  InnerErrorMessage,
}

export interface Key {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly field: Field;
}

function keys(...entries: readonly (readonly [string, Field])[]): readonly Key[] {
  return entries.map(([name, field]) => ({ name, bytes: Buffer.from(name), field }));
}

/** Relevant keys of each object. All others are skipped. */
export const keysOf: Readonly<Record<KeyOwner, readonly Key[]>> = {
  [KeyOwner.Line]: keys(['custom_id', Field.CustomId], ['result', Field.Result]),
  [KeyOwner.Result]: keys(['type', Field.ResultType], ['message', Field.Message], ['error', Field.Error]),
  [KeyOwner.Message]: keys(['model', Field.Model], ['stop_reason', Field.StopReason], ['usage', Field.Usage], ['content', Field.Content]),
  [KeyOwner.Usage]: keys(
    ['input_tokens', Field.InputTokens],
    ['output_tokens', Field.OutputTokens],
    ['cache_read_input_tokens', Field.CacheReadTokens],
    ['cache_creation_input_tokens', Field.CacheWriteTokens],
    ['cache_creation', Field.CacheCreation],
  ),
  [KeyOwner.CacheCreation]: keys(
    ['ephemeral_5m_input_tokens', Field.CacheWrite5mTokens],
    ['ephemeral_1h_input_tokens', Field.CacheWrite1hTokens],
  ),
  [KeyOwner.Block]: keys(['text', Field.BlockText]),
  [KeyOwner.Error]: keys(['type', Field.ErrorType], ['message', Field.ErrorMessage], ['error', Field.InnerError]),
  [KeyOwner.InnerError]: keys(['type', Field.InnerErrorType], ['message', Field.InnerErrorMessage]),
};
