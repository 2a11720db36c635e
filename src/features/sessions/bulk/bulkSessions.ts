import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { confirmChange } from '../../../common/asking/confirmChange';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { CancelledError } from '../../../common/cancellation';
import { isInToolFolder } from '../../../common/files/isInToolFolder';
import { describeError } from '../../../common/text/describeError';
import type { SessionReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import { askFormat, readExported, writeExport } from '../exporting/exportFile';
import { exportName } from '../exporting/exportNames';
import { type EndAct, endNow } from '../endSession';
import { describeSession, reachToChange, type SessionActionContext } from '../sessionActionContext';
import { mustBeInterrupted } from '../sessionEnding';
import { type BulkResult, describeBulk, listNames, runBulk } from './runBulk';

/** Maximum delay of the result message until the list is refreshed, in milliseconds. */
const refreshedWithin = 2_000;

/** Texts of an act on a number of sessions. */
interface ManyWords {
  readonly question: string;
  readonly detail: string;
  readonly button: string;
  readonly keep: string;
  readonly progress: string;
  readonly done: (count: number) => string;
}

/** Interrupts, archives or deletes several sessions after one question, and reports the result at the end. */
export async function changeSessions(deps: SessionActionContext, references: readonly SessionReference[], act: EndAct): Promise<void> {
  const [first] = references;
  if (first === undefined) {
    return;
  }
  if (references.some(({ connection }) => connection !== first.connection)) {
    throw new Error(vscode.l10n.t('Select sessions of one connection.'));
  }
  const reached = await reachToChange(deps, first);
  const words = wordsOf(act, references.length);
  const running = references.filter(reference => isRunning(deps, reference)).length;
  await confirmChange(reached.connection, {
    title: words.question,
    details: [
      listNames(
        references.map(reference => describeSession(deps, reference)),
        vscode.l10n.t,
      ),
      running > 0 && act !== 'interrupt' ? vscode.l10n.t('Running, will be interrupted first: {0}.', running) : '',
      words.detail,
    ],
    button: words.button,
    keep: words.keep,
  });
  const result = await actOnEach(deps, references, words.progress, (reference, signal) =>
    endNow(deps, reached.client.sessions, reference, act, signal),
  );
  for (const reference of references) {
    deps.panels.refresh(reference);
  }
  // Refreshes first, so that the list agrees with the message. A service that hangs delays the message only briefly.
  await Promise.race([deps.refresh(), sleep(refreshedWithin, undefined, { ref: false })]);
  tell(result, words.done);
}

/** Exports several sessions into one folder, each to its own file. */
export async function exportSessions(deps: SessionActionContext, references: readonly SessionReference[]): Promise<void> {
  const { t } = vscode.l10n;
  const { format } = await askFormat();
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: t('Export {0} Sessions', references.length),
      openLabel: t('Export Here'),
      canSelectFolders: true,
      canSelectFiles: false,
      defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
    })) ?? [];
  if (folder === undefined) {
    throw new CancelledError();
  }
  if (folder.scheme !== 'file' || (await isInToolFolder(path.join(folder.fsPath, 'x')))) {
    throw new Error(t("Can't save into .git or .vscode. Choose another folder."));
  }
  const result = await actOnEach(deps, references, t('Exporting {0} sessions', references.length), async (reference, signal) => {
    const { connection, client } = await reach(deps.connections, reference.connection, 'read');
    const exported = await readExported(client.sessions, connection, reference.sessionId, signal, () => undefined);
    const title = exported.header.session?.title;
    const name = exportName(typeof title === 'string' ? title : '', reference.sessionId, format);
    // An existing file stays: the new one gets the next free number.
    await writeExport(path.join(folder.fsPath, name), format, exported, { signal, replaces: false });
  });
  const where = toLabel(path.basename(folder.fsPath), 100);
  tell(result, count => t('Sessions exported to {0}: {1}.', where, count));
}

function actOnEach(
  deps: SessionActionContext,
  references: readonly SessionReference[],
  title: string,
  act: (reference: SessionReference, signal: AbortSignal) => Promise<void>,
): Promise<BulkResult> {
  return withProgress(title, deps.lifetime, (signal, report) =>
    runBulk(references, reference => act(reference, signal), {
      signal,
      nameOf: reference => describeSession(deps, reference),
      describe: describeError,
      onDone: count => report(vscode.l10n.t('{0} of {1}', count, references.length), count / references.length),
    }),
  );
}

function tell(result: BulkResult, done: (count: number) => string): void {
  const message = describeBulk(result, done, vscode.l10n.t);
  void (result.failures.length + result.left > 0 ? showWarning(message) : showInformation(message));
}

function isRunning({ store }: SessionActionContext, reference: SessionReference): boolean {
  const listed = store.find(reference);
  return listed !== undefined && mustBeInterrupted(listed.session);
}

function wordsOf(act: EndAct, count: number): ManyWords {
  const { t } = vscode.l10n;
  switch (act) {
    case 'interrupt':
      return {
        question: t('Interrupt {0} sessions?', count),
        detail: t('The current turn ends. You can continue with a new message.'),
        button: t('Interrupt All'),
        keep: t('Keep Running'),
        progress: t('Interrupting {0} sessions', count),
        done: done => t('Sessions interrupted: {0}.', done),
      };
    case 'archive':
      return {
        question: t('Archive {0} sessions?', count),
        detail: t("Archived sessions are read-only. This can't be undone."),
        button: t('Archive'),
        keep: t('Keep'),
        progress: t('Archiving {0} sessions', count),
        done: done => t('Sessions archived: {0}.', done),
      };
    case 'delete':
      return {
        question: t('Delete {0} sessions?', count),
        detail: t("This can't be undone."),
        button: t('Delete'),
        keep: t('Keep'),
        progress: t('Deleting {0} sessions', count),
        done: done => t('Sessions deleted: {0}.', done),
      };
  }
}
