import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Workbench } from './workbench';

/** Returns the files of the VS Code profile, including its logs, that contain a secret as UTF-8, UTF-16 or Base64. */
export function filesWithSecrets(workbench: Workbench, secrets: readonly string[]): readonly string[] {
  const forms = secrets.flatMap(secret => [
    Buffer.from(secret),
    Buffer.from(secret, 'utf16le'),
    Buffer.from(Buffer.from(secret).toString('base64').slice(0, 24)),
  ]);
  const files = readdirSync(path.dirname(workbench.logs), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  assert.ok(files.some(({ name }) => name.endsWith('.log')));
  return files
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter(file => {
      const contents = contentsOf(file);
      return forms.some(form => contents.includes(form));
    });
}

/** Returns the contents of a file, or an empty buffer if VS Code has deleted the file. */
function contentsOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
