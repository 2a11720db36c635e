import path from 'node:path';
import * as vscode from 'vscode';
import { confirmChange } from '../../../common/asking/confirmChange';
import { askFolder } from '../../../common/asking/newFile';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { atMost } from '../../../common/atMost';
import { refuseToolFolder } from '../../../common/files/isInToolFolder';
import { settlesWithin } from '../../../common/settlesWithin';
import { describeError } from '../../../common/text/describeError';
import type { Translate } from '../../../common/text/translate';
import type { SessionReference } from '../../../contributions';
import { isRunning } from '../../../shared/session/facts/sessionState';
import { join, toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import { type EndAct, endNow, endWords } from '../endSession';
import { askFormat, exportName, readExported, writeExport } from '../exporting/exportFile';
import { describeSession, type SessionActionContext } from '../sessionActionContext';

/** Maximum time that the result message waits for the refresh, in milliseconds. */
const refreshedWithin = 2_000;

/** Interrupts, archives or deletes several sessions after one confirmation, and reports the result. */
export async function changeSessions(deps: SessionActionContext, references: readonly SessionReference[], act: EndAct): Promise<void> {
  const [first] = references;
  if (first === undefined) {
    return;
  }
  if (references.some(({ connection }) => connection !== first.connection)) {
    throw new Error(vscode.l10n.t('Select sessions of one connection.'));
  }
  const reached = await reach(deps.connections, first.connection, 'change');
  const words = endWords(act);
  const names = references.map(reference => describeSession(deps, reference));
  const running = references.map(one => deps.store.find(one)).filter(listed => isRunning(listed?.session.status)).length;
  await confirmChange(reached.connection, {
    title: words.questionOfMany(references.length),
    details: [
      listNames(names, vscode.l10n.t),
      running > 0 && act !== 'interrupt' ? vscode.l10n.t('Running, will be interrupted first: {0}.', running) : '',
      words.detail,
    ],
    button: act === 'interrupt' ? vscode.l10n.t('Interrupt All') : words.button,
    keep: words.keep,
  });
  const result = await actOnEach(deps, references, words.progress(references.length), (reference, signal) =>
    endNow(deps, reached.client.sessions, reference, act, signal),
  );
  for (const reference of references) {
    deps.panels.refresh(reference);
  }
  // Refreshes first, so that the list agrees with the message. A service that hangs delays the message only briefly.
  await settlesWithin(deps.refresh(), refreshedWithin);
  showResult(result, words.done);
}

/** Exports several sessions into one folder, each to its own file. */
export async function exportSessions(deps: SessionActionContext, references: readonly SessionReference[]): Promise<void> {
  const { t } = vscode.l10n;
  const { format } = await askFormat();
  const folder = await askFolder(t('Export {0} Sessions', references.length), t('Export Here'));
  await refuseToolFolder(path.join(folder, 'x'), t);
  const result = await actOnEach(deps, references, t('Exporting {0} sessions', references.length), async (reference, signal) => {
    const { connection, client } = await reach(deps.connections, reference.connection, 'read');
    const exported = await readExported(client.sessions, connection, reference.sessionId, signal, () => undefined);
    const title = exported.header.session?.title;
    const name = exportName(typeof title === 'string' ? title : '', reference.sessionId, format);
    // Keeps an existing file. The new file gets the next free number.
    await writeExport(path.join(folder, name), format, exported, { signal, replaces: false });
  });
  const where = toLabel(path.basename(folder), 100);
  showResult(result, count => t('Sessions exported to {0}: {1}.', where, count));
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
      onDone: count => report(vscode.l10n.t('{0} of {1}', count, references.length), count / references.length),
    }),
  );
}

function showResult(result: BulkResult, done: (count: number) => string): void {
  const message = describeBulk(result, done, vscode.l10n.t);
  void (result.failures.length + result.left > 0 ? showWarning(message) : showInformation(message));
}

interface BulkResult {
  readonly done: number;
  /** Number of items that were not reached because the user cancelled. */
  readonly left: number;
  readonly failures: readonly { readonly name: string; readonly reason: string }[];
}

/** Maximum number of items processed at once. */
const atOnce = 3;

/** Runs an action once on each item. Continues if the action fails on some items. */
export async function runBulk<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  of: {
    readonly signal: AbortSignal;
    readonly nameOf: (item: T) => string;
    readonly onDone: (count: number) => void;
  },
): Promise<BulkResult> {
  const failures: { name: string; reason: string }[] = [];
  let done = 0;
  await atMost(atOnce, items, of.signal, async item => {
    try {
      await act(item);
      done++;
    } catch (error) {
      // An action that the user cancelled counts as failed, with its error as the reason.
      failures.push({ name: of.nameOf(item), reason: describeError(error) });
    }
    of.onDone(done + failures.length);
  });
  return { done, left: items.length - done - failures.length, failures };
}

/** Formats names as a list for a confirmation. After the maximum, only the number of remaining names follows. */
export function listNames(names: readonly string[], translate: Translate): string {
  const shown = names.slice(0, maxNames);
  const others = names.length - shown.length;
  return [...shown.map(name => `• ${name}`), ...(others === 0 ? [] : [translate('and {0} more', others)])].join('\n');
}

/** Describes a result: how many succeeded, which failed and why, how many were not reached. `done` formats the first number. */
export function describeBulk(result: BulkResult, done: (count: number) => string, translate: Translate): string {
  const { failures, left } = result;
  const named = failures.slice(0, maxNames).map(({ name, reason }) => translate('"{0}": {1}', name, reason));
  const others = failures.length - named.length;
  return join(
    ' ',
    done(result.done),
    failures.length === 0 ? '' : translate('Failed: {0}. {1}', failures.length, named.join(' ')),
    others === 0 ? '' : translate('and {0} more', others),
    left === 0 ? '' : translate('Not processed: {0}.', left),
  );
}

const maxNames = 8;
