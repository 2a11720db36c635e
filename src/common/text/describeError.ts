import { redact } from '../../shared/redaction';

/** Returns the message of an error, or anything else that was thrown as text. Redacts the input that `JSON.parse` quotes. */
export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof SyntaxError ? redact(message) : message;
}
