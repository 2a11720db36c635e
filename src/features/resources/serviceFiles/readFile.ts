import path from 'node:path';
import * as vscode from 'vscode';
import type { ServiceFile } from '../../../client/resources/files';
import { askWhere } from '../../../common/asking/newFile';
import { offerToOpen } from '../../../common/asking/notifications';
import { type Report, withProgress } from '../../../common/asking/progress';
import { refuseToolFolder } from '../../../common/files/isInToolFolder';
import { toFileStem } from '../../../common/text/fileStem';
import type { Reference } from '../../../contributions';
import { WholeFile } from '../../../jsonl/files/wholeFile';
import { toByteSize, toLabel } from '../../../shared/text';
import { contentName } from '../documents/openContent';
import { fileName, files as filesKind, isReadable } from '../kinds/files';
import { type ResourceFlow, referenceOf, retrieve, unlessGone } from '../resourceFlow';

/** Downloads a file to a path that the user chooses. The file is written completely or not at all. */
export async function downloadServiceFile(flow: ResourceFlow, target: Reference | undefined): Promise<void> {
  const { reference, file, client } = await readableFile(flow, target);
  const outPath = await askWhere(contentName(file.filename ?? '', toFileStem(file.id) || 'file'), vscode.l10n.t('Download File'));
  await refuseToolFolder(outPath, vscode.l10n.t);
  const download = async (signal: AbortSignal, report: Report) => {
    const { body, contentLength } = await client.files.content(reference.id, { signal });
    const written = await WholeFile.create(outPath);
    try {
      let bytes = 0;
      for await (const piece of body) {
        await written.appendAll([piece]);
        bytes += piece.byteLength;
        report(toByteSize(bytes), contentLength ? bytes / contentLength : undefined);
      }
      await written.finish(signal);
      await written.publish();
    } finally {
      await written.discard();
    }
  };
  const title = vscode.l10n.t('Downloading {0}', fileName(file));
  await unlessGone(flow, reference, () => withProgress(title, new AbortController().signal, download));
  offerToOpen(vscode.l10n.t('Downloaded {0}.', toLabel(path.basename(outPath), 100)), vscode.Uri.file(outPath));
}

/** Inserts the ID of a file at the cursor, replacing the selection. */
export async function insertFileId(flow: ResourceFlow, target: Reference | undefined): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    throw new Error(vscode.l10n.t('Place the cursor in a request file first.'));
  }
  const reference = await referenceOf(flow, target, [filesKind]);
  await editor.edit(edit => {
    for (const selection of editor.selections) {
      edit.replace(selection, reference.id);
    }
  });
}

async function readableFile(flow: ResourceFlow, target: Reference | undefined) {
  const reference = await referenceOf(flow, target, [filesKind], 'readable');
  const reached = await flow.service.reach(reference.connection, 'read');
  const file: ServiceFile = { type: 'file', ...(await retrieve(flow, reached, reference)) };
  if (!isReadable(file)) {
    throw new Error(vscode.l10n.t("{0} can't be downloaded: only files created by sessions can.", fileName(file)));
  }
  return { reference, file, client: reached.client };
}
