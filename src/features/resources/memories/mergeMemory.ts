import * as vscode from 'vscode';
import { showFailure } from '../../../common/asking/notifications';
import { CancelledError, unlessCancelled } from '../../../common/cancellation';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { describeError } from '../../../common/text/describeError';
import { toLabel } from '../../../shared/text';
import { mergeThreeWay } from '../documents/mergeThreeWay';
import { undefinedIfGone } from '../lists/resourceErrors';
import type { ResourceFlow } from '../resourceFlow';
import type { ReadMemory } from './memoryAccess';
import type { RefusedSave } from './memoryFiles';
import { memoryLocationOf } from './memoryLocation';

/** Offers to merge after a save that was refused because somebody else wrote the memory first. Unsaved edits always stay. */
export async function mergeMemory(flow: ResourceFlow, refused: RefusedSave): Promise<void> {
  await unlessCancelled(undefined, () => merge(flow, refused)).catch(error => showFailure(describeError(error)));
}

async function merge(flow: ResourceFlow, { uri, base, mine, theirs }: RefusedSave): Promise<void> {
  const document = openDocumentOf(uri);
  if (document === undefined) {
    // The write did not come from an editor, and its caller already got an error.
    return;
  }
  const { version } = document;
  const location = memoryLocationOf(uri);
  const before = await contentOf(flow, location.connection, location.storeId, base);
  const name = toLabel(location.path, 80);
  await mergeThreeWay({
    base: { text: before },
    mine: { text: mine },
    theirs: { text: theirs.content ?? '' },
    title: vscode.l10n.t('{0} has changed on the service', name),
    theirsLabel: vscode.l10n.t('Service Version'),
    diffTitle: vscode.l10n.t('{0}: your base ↔ service', name),
    snapshot: (name, text) => flow.files.snapshot(name, text),
    texts: { base: before, mine, theirs: theirs.content ?? '' },
    fileName: part => `${location.path.split('/').at(-1)} (${part})`,
    output: uri,
    keep: async ({ text }) => {
      if (document.isClosed || document.version !== version) {
        throw new Error(vscode.l10n.t('The text has changed. Save again.'));
      }
      await replaceText(document, String(text));
      // From here on, saving replaces the version on the service.
      flow.memories.access.bases.reset(uri.path, theirs);
    },
  });
  if (!(await document.save())) {
    throw new CancelledError();
  }
}

/**
 * Returns the text that a document is based on. Returns '' if the text is unknown and its version is unknown or gone. The merge then treats
 * both sides as completely changed.
 */
async function contentOf(flow: ResourceFlow, connection: string, storeId: string, base: ReadMemory | undefined): Promise<string> {
  const { content, memory_version_id: versionId } = base ?? {};
  if (typeof content === 'string' || !versionId) {
    return content ?? '';
  }
  const { client } = await flow.service.reach(connection, 'read');
  const version = await client.memoryStores.versions(storeId).retrieve(versionId, { view: 'full' }).catch(undefinedIfGone);
  return version?.data.content ?? '';
}

async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new Error(vscode.l10n.t("Couldn't change the document."));
  }
}
