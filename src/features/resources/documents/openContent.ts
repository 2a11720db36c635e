import path from 'node:path';
import * as vscode from 'vscode';
import { withProgress } from '../../../common/asking/progress';
import { imageTypeOf } from '../../../common/files/mediaTypes';
import { toFileStem } from '../../../common/text/fileStem';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { type ResourceFlow, unlessGone } from '../resourceFlow';
import type { ResourceKind } from '../resourceKind';

/**
 * Opens the content of a resource: a text as a read-only document, a picture in the image preview. Returns false for any other content, or
 * if the content is too large.
 */
export async function openContent(
  flow: ResourceFlow,
  reference: Reference,
  name: string,
  read: NonNullable<ResourceKind['content']>,
): Promise<boolean> {
  const { client } = await flow.service.reach(reference.connection, 'read');
  const bytes = await unlessGone(flow, reference, () =>
    withProgress(vscode.l10n.t('Reading {0}', toLabel(name, 80)), new AbortController().signal, signal => read(client, reference, signal)),
  );
  const image = bytes === undefined ? undefined : imageTypeOf(bytes);
  if (bytes === undefined || (image === undefined && strictTextOf(bytes) === undefined)) {
    return false;
  }
  const tabName = contentName(name);
  const uri = flow.files.uriOf(
    { view: 'content', reference },
    image === undefined ? tabName : `${path.parse(tabName).name}.${image.extension}`,
  );
  flow.files.keepContent(uri, bytes);
  await flow.files.asked.during(uri, async () => {
    if (image === undefined) {
      // Opened as text, whatever its extension, because no other editor may interpret foreign content.
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
    } else {
      await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
    }
  });
  return true;
}

/** Returns a tab name for a file name that the service reports: its last part, without characters that hide text or change the path. */
export function contentName(givenName: string, otherwise = 'file'): string {
  const { name, ext } = path.posix.parse(givenName.replaceAll('\\', '/'));
  const ending = /^\.[A-Za-z0-9]{1,16}$/.test(ext) ? ext : '';
  return `${toFileStem(ending === '' ? name + ext : name) || otherwise}${ending}`;
}

/** Decodes strict UTF-8 without zero bytes. Returns `undefined` for other bytes. */
export function strictTextOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
