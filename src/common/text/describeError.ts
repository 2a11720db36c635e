import { redact } from '../../shared/redaction';

/** Returns the message of an error. Converts anything else that was thrown to text. Redacts the input that `JSON.parse` quotes. */
export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof SyntaxError ? redact(message) : message;
}
