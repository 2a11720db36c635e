import { createHash } from 'node:crypto';
import path from 'node:path';
import type * as vscode from 'vscode';
import { chooseFreePath } from '../../../common/asking/newFile';
import { toFileStem } from '../../../common/text/fileStem';
import { baseName } from '../sourceNames';

/** Content of a file that the extension writes next to a request file. */
export type SiblingKind = 'results' | 'retry' | 'cached' | 'primer';

/** Maximum length in UTF-8 bytes. File systems allow 255 bytes, including the extension, a number and the suffix of a temporary file. */
const maxStemBytes = 200;

/**
 * Returns the name of a file next to a request file: `requests.jsonl` -> `requests.results.jsonl`. A file with another extension keeps its
 * whole name. A name that is too long for a file system is cut and gets a short hash of the whole name.
 */
export function siblingName(name: string, kind: SiblingKind): string {
  const stem = shortened(name.replace(/\.(?:jsonl|ndjson)$/i, ''));
  return `${stem === '' ? 'requests' : stem}.${kind}.jsonl`;
}

/** Returns the path of a new file `<name>.<kind>.jsonl` next to a file, numbered if it exists. Asks the user if the folder is read-only. */
export async function newPathBeside(file: vscode.Uri, kind: SiblingKind, title: string): Promise<string> {
  const { name: stem, ext } = path.parse(siblingName(fileNameOf(file.toString()), kind));
  return await chooseFreePath(file, stem, ext, title);
}

function shortened(stem: string): string {
  const bytes = Buffer.from(stem);
  if (bytes.length <= maxStemBytes) {
    return stem;
  }
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  let end = maxStemBytes - hash.length - 1;
  // Avoids cutting inside a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end--;
  }
  return `${bytes.toString('utf8', 0, end)}-${hash}`;
}

/** Returns the file name of a source URI. */
export function fileNameOf(source: string): string {
  return baseName(source).replace(/[/\\:]/g, '-');
}

/** Returns a file name for the results of a batch. The service chooses the batch ID, so path separators in it are replaced. */
export function resultsNameOf(batchId: string): string {
  const safe = toFileStem(batchId.replace(/[^\w-]+/g, '-'));
  return `${safe === '' ? 'batch' : safe}.results.jsonl`;
}
