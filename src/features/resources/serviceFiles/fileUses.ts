import { createReadStream } from 'node:fs';
import * as vscode from 'vscode';
import { toLabel } from '../../../shared/text';

/** Request files that are looked into at most, and their bytes. */
const mostFiles = 500;
const mostBytes = 512 * 1024 * 1024;
const mostNamed = 5;

/** A sentence that names the request files of the workspace which hold an id; empty where none does. */
export async function describeFileUses(id: string): Promise<string> {
  const { found, isWhole } = await requestFilesWith(id);
  const names = found.slice(0, mostNamed).map(uri => toLabel(vscode.workspace.asRelativePath(uri), 80));
  const more = found.length > mostNamed ? [vscode.l10n.t('and {0} more', found.length - mostNamed)] : [];
  const partial = isWhole ? '' : vscode.l10n.t('Not all request files of the workspace were looked into.');
  const uses = found.length === 0 ? '' : vscode.l10n.t('Request files of the workspace use it: {0}.', [...names, ...more].join(', '));
  return [uses, partial].filter(part => part !== '').join(' ');
}

async function requestFilesWith(id: string): Promise<{ readonly found: readonly vscode.Uri[]; readonly isWhole: boolean }> {
  const uris = await vscode.workspace.findFiles('**/*.{jsonl,ndjson}', '**/{node_modules,.managed-agents}/**', mostFiles + 1);
  const found: vscode.Uri[] = [];
  let left = mostBytes;
  let isWhole = uris.length <= mostFiles;
  for (const uri of uris.slice(0, mostFiles).filter(({ scheme }) => scheme === 'file')) {
    const { size } = await vscode.workspace.fs.stat(uri);
    left -= size;
    if (left < 0) {
      isWhole = false;
      break;
    }
    if (await holds(uri.fsPath, Buffer.from(id))) {
      found.push(uri);
    }
  }
  return { found, isWhole };
}

/** Whether a file holds these bytes, read piece by piece. */
async function holds(file: string, wanted: Buffer): Promise<boolean> {
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
    // What cannot be read now is no reason to keep the file on the service.
  }
  return false;
}
