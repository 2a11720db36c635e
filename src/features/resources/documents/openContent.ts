import path from 'node:path';
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../client/serviceClient';
import { withProgress } from '../../../common/asking/progress';
import { imageTypeOf } from '../../../common/files/imageType';
import { toFileStem } from '../../../common/text/fileStem';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { toGone } from '../lists/performAct';
import { listOf, type ResourceFlow } from '../resourceFlow';

type Read = (client: ServiceClient, reference: Reference, signal: AbortSignal) => Promise<Uint8Array | undefined>;

/** Opens what a thing holds to read it; throws a sentence where that is neither text nor a picture, or too large. */
export async function openContent(flow: ResourceFlow, reference: Reference, name: string, read: Read): Promise<void> {
  const { client } = await flow.service.reach(reference.connection, 'user');
  if (!(await showContent(flow, reference, contentName(name), signal => read(client, reference, signal)))) {
    throw new Error(vscode.l10n.t('{0} is neither text nor a picture, or too large to be shown here.', toLabel(name, 80)));
  }
}

/** Shows what a thing holds: text as a read-only document, a picture as a picture. False where it is neither, or `read` gives nothing. */
export async function showContent(
  flow: ResourceFlow,
  reference: Reference,
  name: string,
  read: (signal: AbortSignal) => Promise<Uint8Array | undefined>,
): Promise<boolean> {
  const title = vscode.l10n.t('Reading {0}', toLabel(name, 80));
  const bytes = await withProgress(title, new AbortController().signal, read).catch(error => {
    throw toGone(listOf(flow, reference), reference.id, error);
  });
  const image = bytes === undefined ? undefined : imageTypeOf(bytes);
  if (bytes === undefined || (image === undefined && !isText(bytes))) {
    return false;
  }
  const fileName = image === undefined ? name : `${path.parse(name).name}.${image.extension}`;
  const uri = flow.files.uriOf({ view: 'content', reference }, fileName);
  flow.files.keepContent(uri, bytes);
  await flow.files.asking(uri, async () => {
    if (image === undefined) {
      // As text whatever its ending: no editor of another kind makes more of what somebody else wrote.
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
    } else {
      await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
    }
  });
  return true;
}

/** A name for a tab out of what the service calls a file: its last part only, nothing that hides or leads elsewhere. */
export function contentName(told: string, otherwise = 'file'): string {
  const { name, ext } = path.posix.parse(told.replaceAll('\\', '/'));
  const ending = /^\.[A-Za-z0-9]{1,16}$/.test(ext) ? ext : '';
  return `${toFileStem(ending === '' ? name + ext : name) || otherwise}${ending}`;
}

/** Strict UTF-8 without zero bytes. */
export function isText(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
}
