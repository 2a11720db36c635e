import * as vscode from 'vscode';
import { CancelledError } from '../../../common/cancellation';
import { isRecord } from '../../../shared/isRecord';
import type { Definition } from '../definitions';
import type { Secret } from '../resourceKind';

/**
 * What is sent, with the secrets that no document holds: each is asked for in a box that shows none of it, and kept nowhere. One that is left
 * empty is left out. Throws a `CancelledError` where the user turned back.
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

/** A copy of a value with another in its place. */
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
