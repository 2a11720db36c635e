import path from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { EventLog } from '../../../client/events/eventLog';
import type { Sessions } from '../../../client/resources/sessions';
import { askChoice } from '../../../common/asking/askSteps';
import { askWhere } from '../../../common/asking/newFile';
import { showFailure, showInformation } from '../../../common/asking/notifications';
import { type Report, withProgress } from '../../../common/asking/progress';
import { refuseToolFolder } from '../../../common/files/isInToolFolder';
import { describeError } from '../../../common/text/describeError';
import { toFileStem } from '../../../common/text/fileStem';
import { hostOf } from '../../../common/text/presentation';
import type { SessionReference } from '../../../contributions';
import { WholeFile } from '../../../jsonl/files/wholeFile';
import { numberFormat } from '../../../shared/formats';
import { maskSecrets } from '../../../shared/maskedJson';
import type { FromWebview } from '../../../shared/session/sessionProtocol';
import { toByteSize, toLabel } from '../../../shared/text';
import { type Connection, type Connections, reach } from '../../connection';
import { type ExportHeader, type ExportLog, exportJsonl, filterEvents } from '../facts/sessionJsonl';
import { readThreads, readWholeLog } from '../facts/wholeLog';
import type { PanelSource } from '../live/panelSource';
import { viewTypes } from '../viewTypes';
import { exportMarkdown } from './exportMarkdown';

/** Session to export. */
export interface Exported {
  readonly header: ExportHeader;
  readonly logs: readonly ExportLog[];
}

/** Number of characters written at a time. */
const blockLength = 1 << 20;

/** Asks for the format and, if a panel shows only a part, whether to export only that part. Throws a `CancelledError` on Escape. */
export async function askFormat(isPartShown = false): Promise<{ readonly format: ExportFormat; readonly isPart: boolean }> {
  const { t } = vscode.l10n;
  const whole = [
    { label: t('JSON Lines'), description: t('all events, can be opened again'), value: { format: 'jsonl', isPart: false } },
    { label: t('Markdown'), description: t('for reading'), value: { format: 'markdown', isPart: false } },
  ] as const;
  const part = whole.map(({ label, value }) => ({ label: t('{0}, visible rows only', label), value: { ...value, isPart: true } }));
  return await askChoice<{ readonly format: ExportFormat; readonly isPart: boolean }>({
    title: t('Export Session'),
    placeholder: t('Select a format'),
    choices: isPartShown ? [...whole, ...part] : whole,
  });
}

/** Asks where to save a file. Throws if the path is in a tool folder, and a `CancelledError` if the user cancels. */
export async function askTarget(name: string, title: string): Promise<string> {
  const target = await askWhere(name, title);
  await refuseToolFolder(target, vscode.l10n.t);
  return target;
}

/** Reads a session with `read` and writes it to a file, completely or not at all, with secrets masked. Then offers to open the file. */
export async function exportTo(
  target: string,
  format: ExportFormat,
  read: (signal: AbortSignal, report: Report) => Promise<Exported>,
): Promise<void> {
  const { t } = vscode.l10n;
  const bytes = await withProgress(t('Exporting {0}', path.basename(target)), new AbortController().signal, async (signal, report) => {
    const exported = await read(signal, report);
    report(t('Writing'));
    return await writeExport(target, format, exported, { signal, replaces: true });
  });
  offerToOpen(target, format, bytes).catch(error => showFailure(describeError(error)));
}

/**
 * Writes a masked export, completely or not at all. Returns its size in bytes. Without `replaces`, keeps an existing file and adds the next
 * free number to the name.
 */
export async function writeExport(
  target: string,
  format: ExportFormat,
  { header, logs }: Exported,
  { signal, replaces }: { readonly signal: AbortSignal; readonly replaces: boolean },
): Promise<number> {
  const masked = logs.map(({ thread, events }) => ({ thread, events: { [Symbol.iterator]: () => maskEach(events) } }));
  const safeHeader = maskSecrets(header);
  const pieces = format === 'jsonl' ? exportJsonl(safeHeader, masked) : exportMarkdown(safeHeader, masked);
  const file = await WholeFile.create(target);
  try {
    let block = '';
    const flush = async () => {
      await file.appendAll([Buffer.from(block)]);
      block = '';
      // Lets other tasks run between the blocks of a long export.
      await othersTurn();
      signal.throwIfAborted();
    };
    for (const piece of pieces) {
      block += piece;
      if (block.length >= blockLength) {
        await flush();
      }
    }
    await flush();
    await file.finish(signal);
    await (replaces ? file.publish() : file.publishOver({ stamp: undefined }));
    return file.byteLength;
  } finally {
    await file.discard();
  }
}

function* maskEach<T>(events: Iterable<T>): Generator<T> {
  for (const event of events) {
    yield maskSecrets(event);
  }
}

async function offerToOpen(target: string, format: ExportFormat, bytes: number): Promise<void> {
  const { t } = vscode.l10n;
  const open = t('Open');
  const size = toByteSize(bytes, vscode.env.language);
  const message = t('The session was exported to {0} ({1}).', toLabel(path.basename(target), 100), size);
  if ((await showInformation(message, open)) !== open) {
    return;
  }
  const uri = vscode.Uri.file(target);
  await (format === 'jsonl'
    ? vscode.commands.executeCommand('vscode.openWith', uri, viewTypes.exportedSession)
    : vscode.commands.executeCommand('vscode.open', uri));
}

type ExportRequest = Extract<FromWebview, { readonly type: 'export' }>;

/**
 * Asks whether to export the filtered rows of one thread or everything. Exports everything with `exportWhole` if given, otherwise the
 * opened threads.
 */
export async function exportShown(
  source: PanelSource,
  { thread, filter }: ExportRequest,
  exportWhole?: (format: ExportFormat) => Promise<void>,
): Promise<void> {
  const { format, isPart } = await askFormat(filter !== undefined);
  if (!isPart && exportWhole !== undefined) {
    return await exportWhole(format);
  }
  const { view } = source;
  const target = await askTarget(exportName(view.title || view.firstWords, view.id, format), vscode.l10n.t('Export Session'));
  const logs = (isPart ? [thread] : source.openThreads).flatMap(id => {
    const transcript = source.transcript(id);
    if (transcript === undefined) {
      return [];
    }
    return [{ thread: id, events: isPart && filter !== undefined ? filterEvents(transcript, filter) : transcript.events }];
  });
  const header = {
    exportedAt: new Date().toISOString(),
    source: source.name,
    ...source.described,
    ...(isPart && filter && { filtered: filter }),
  };
  await exportTo(target, format, async () => ({ header, logs }));
}

/** Exports a session with its whole log and the logs of its threads. Asks for the target file, and for the format unless it is given. */
export async function exportSession(
  { connections }: { readonly connections: Connections },
  reference: SessionReference,
  givenFormat?: ExportFormat,
): Promise<void> {
  const { connection, client } = await reach(connections, reference.connection, 'read');
  const { sessions } = client;
  const { data: session } = await sessions.retrieve(reference.sessionId);
  const format = givenFormat ?? (await askFormat()).format;
  const target = await askTarget(exportName(session.title ?? '', session.id, format), vscode.l10n.t('Export Session'));
  await exportTo(target, format, (signal, report) => readExported(sessions, connection, reference.sessionId, signal, report));
}

/** Reads the current state of a session, its whole log, and the logs of its threads. */
export async function readExported(
  sessions: Sessions,
  connection: Connection,
  sessionId: string,
  signal: AbortSignal,
  report: Report,
): Promise<Exported> {
  const { data: session } = await sessions.retrieve(sessionId, { signal });
  const threads = await readThreads(sessions, sessionId, signal);
  let before = 0;
  const readLog = async (log: EventLog) => {
    const format = numberFormat(vscode.env.language);
    const reportRead = (count: number) => report(vscode.l10n.t('Events read: {0}', format.format(before + count)));
    const events = await readWholeLog(log, signal, reportRead);
    before += events.length;
    return events;
  };
  const logs: ExportLog[] = [{ thread: '', events: await readLog(sessions.events(sessionId)) }];
  for (const { id } of threads.filter(thread => thread.parent_thread_id !== null)) {
    logs.push({ thread: id, events: await readLog(sessions.threadEvents(sessionId, id)) });
  }
  const source = `${connection.name} (${hostOf(connection)})`;
  return { header: { exportedAt: new Date().toISOString(), source, session, threads }, logs };
}

export type ExportFormat = 'jsonl' | 'markdown';

/** Extensions of exported files. File managers and the editor for exported sessions recognize `.session.jsonl`. */
const endings: Readonly<Record<ExportFormat, string>> = { jsonl: '.session.jsonl', markdown: '.session.md' };

/** Returns the file name of an export. Removes characters of the title that change the path or are invisible, and reserved names. */
export function exportName(title: string, sessionId: string, format: ExportFormat): string {
  return `${toFileStem(title) || toFileStem(sessionId) || 'session'}${endings[format]}`;
}
