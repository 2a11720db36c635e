import { createHash } from 'node:crypto';
import path from 'node:path';
import type * as vscode from 'vscode';
import { freePlaceBeside } from '../../../common/asking/newFile';
import { toFileStem } from '../../../common/text/fileStem';
import { baseName } from '../sourceNames';

/** What a file of ours beside a request file holds. */
export type SiblingKind = 'results' | 'retry' | 'cached' | 'primer';

/** UTF-8 bytes of a stem: file systems take 255 for a name, with its ending, a number, and what is put behind it while it is written. */
const mostStemBytes = 200;

/**
 * `requests.jsonl` -> `requests.results.jsonl`; a file without one of the endings of request files keeps its whole name. Of a name that
 * would be too long for a file system the begin stays, with a short hash of the whole.
 */
export function siblingName(name: string, kind: SiblingKind): string {
  const stem = shortened(name.replace(/\.(?:jsonl|ndjson)$/i, ''));
  return `${stem === '' ? 'requests' : stem}.${kind}.jsonl`;
}

/** Returns the path of a new file `<name>.<kind>.jsonl` beside a file, numbered if there is one. Asks the user if the folder is read-only. */
export async function placeBeside(file: vscode.Uri, kind: SiblingKind, title: string): Promise<string> {
  const { name: stem, ext } = path.parse(siblingName(fileNameOf(file.toString()), kind));
  return await freePlaceBeside(file, stem, ext, title);
}

function shortened(stem: string): string {
  const bytes = Buffer.from(stem);
  if (bytes.length <= mostStemBytes) {
    return stem;
  }
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  let end = mostStemBytes - hash.length - 1;
  // Not in the middle of a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end--;
  }
  return `${bytes.toString('utf8', 0, end)}-${hash}`;
}

/** The file name of a source URI, for a file of ours beside it. */
export function fileNameOf(source: string): string {
  return baseName(source).replace(/[/\\:]/g, '-');
}

/** A file name for results of a batch whose id comes from a service: nothing of it can lead to another folder. */
export function resultsNameOf(batchId: string): string {
  const safe = toFileStem(batchId.replace(/[^\w-]+/g, '-'));
  return `${safe === '' ? 'batch' : safe}.results.jsonl`;
}
