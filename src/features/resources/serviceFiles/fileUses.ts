import { createReadStream } from 'node:fs';
import * as vscode from 'vscode';
import { join, toLabel } from '../../../shared/text';

/** Maximum number of request files that are searched, and their total size in bytes. */
const maxFiles = 500;
const maxBytes = 512 * 1024 * 1024;
const maxNamed = 5;

/** Returns a sentence that names the request files of the workspace that contain an ID. Returns '' if there are none. */
export async function describeFileUses(id: string): Promise<string> {
  const { found, isWhole } = await requestFilesWith(id);
  const names = found.slice(0, maxNamed).map(uri => toLabel(vscode.workspace.asRelativePath(uri), 80));
  const more = found.length > maxNamed ? [vscode.l10n.t('and {0} more', found.length - maxNamed)] : [];
  const partial = isWhole ? '' : vscode.l10n.t('Some request files were not checked.');
  const uses = found.length === 0 ? '' : vscode.l10n.t('Used by request files: {0}.', [...names, ...more].join(', '));
  return join(' ', uses, partial);
}

async function requestFilesWith(id: string): Promise<{ readonly found: readonly vscode.Uri[]; readonly isWhole: boolean }> {
  const uris = await vscode.workspace.findFiles('**/*.{jsonl,ndjson}', '**/{node_modules,.managed-agents}/**', maxFiles + 1);
  const found: vscode.Uri[] = [];
  let left = maxBytes;
  let isWhole = uris.length <= maxFiles;
  for (const uri of uris.slice(0, maxFiles).filter(({ scheme }) => scheme === 'file')) {
    const { size } = await vscode.workspace.fs.stat(uri);
    left -= size;
    if (left < 0) {
      isWhole = false;
      break;
    }
    if (await contains(uri.fsPath, Buffer.from(id))) {
      found.push(uri);
    }
  }
  return { found, isWhole };
}

async function contains(file: string, wanted: Buffer): Promise<boolean> {
  let before: Buffer = Buffer.alloc(0);
  try {
    for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
      const whole = Buffer.concat([before, piece]);
      if (whole.includes(wanted)) {
        return true;
      }
      before = whole.subarray(Math.max(0, whole.length - wanted.length + 1));
    }
  } catch {
    // A file that can't be read doesn't prevent the deletion.
  }
  return false;
}
