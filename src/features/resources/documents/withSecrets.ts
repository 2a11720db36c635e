import * as vscode from 'vscode';
import { CancelledError } from '../../../common/cancellation';
import { isRecord } from '../../../shared/isRecord';
import type { Definition } from '../definitions/definitionText';
import type { Secret } from '../resourceKind';

/**
 * Returns the request with the secrets that no document contains. Asks for each in a password box and stores none. A secret left empty is
 * omitted. Throws a `CancelledError` if the user cancels.
 */
export async function withSecrets(fields: Definition, secrets: readonly Secret[]): Promise<Definition> {
  let whole: unknown = fields;
  for (const { prompt, path } of secrets) {
    const secret = await vscode.window.showInputBox({ prompt, password: true, ignoreFocusOut: true });
    if (secret === undefined) {
      throw new CancelledError();
    }
    whole = secret === '' ? whole : put(whole, path, secret);
  }
  return isRecord(whole) ? whole : fields;
}

/** Returns a copy of a value with `secret` at a path. */
function put(value: unknown, [name, ...rest]: readonly (string | number)[], secret: string): unknown {
  if (name === undefined) {
    return secret;
  }
  if (Array.isArray(value)) {
    return value.map((element, index) => (index === name ? put(element, rest, secret) : element));
  }
  const record = isRecord(value) ? value : {};
  return { ...record, [name]: put(record[name], rest, secret) };
}
