import * as vscode from 'vscode';
import type { Sessions } from '../../../client/serviceClient';
import type { Report } from '../../../common/asking/progress';
import type { SessionReference } from '../../../contributions';
import { numberFormat } from '../../../shared/formats';
import type { ExportLog } from '../../../shared/session/exporting/sessionJsonl';
import { type Connection, type Connections, reach } from '../../connection';
import { askFormat, askExportPath, type Exported, exportTo } from './exportFile';
import type { ExportFormat } from './exportNames';
import { readThreads, readWholeLog } from '../facts/wholeLog';

export interface ExportDependencies {
  readonly connections: Connections;
}

/**
 * Exports a session with its whole log and those of its threads, read from the service. Asks for the target file, and for the format unless
 * it is given. Writes nothing if any part can't be read.
 */
export async function exportSession(
  { connections }: ExportDependencies,
  reference: SessionReference,
  givenFormat?: ExportFormat,
): Promise<void> {
  const { connection, client } = await reach(connections, reference.connection, 'read');
  const { sessions } = client;
  const { data: session } = await sessions.retrieve(reference.sessionId);
  const format = givenFormat ?? (await askFormat()).format;
  const target = await askExportPath(session.title ?? '', session.id, format);
  await exportTo(target, format, (signal, report) => readExported(sessions, connection, reference.sessionId, signal, report));
}

/** Reads the current state of a session, its whole log, and those of its threads. */
export async function readExported(
  sessions: Sessions,
  connection: Connection,
  sessionId: string,
  signal: AbortSignal,
  report: Report,
): Promise<Exported> {
  const { data: session } = await sessions.retrieve(sessionId, { signal });
  const threads = await readThreads(sessions, sessionId, signal);
  const counts = new Map<string, number>();
  const count = (thread: string) => (events: number) => {
    counts.set(thread, events);
    const sum = [...counts.values()].reduce((all, some) => all + some, 0);
    report(vscode.l10n.t('Events read: {0}', numberFormat(vscode.env.language).format(sum)));
  };
  const logs: ExportLog[] = [{ thread: '', events: await readWholeLog(sessions.events(sessionId), signal, count('')) }];
  for (const { id } of threads.filter(thread => thread.parent_thread_id !== null)) {
    logs.push({ thread: id, events: await readWholeLog(sessions.threadEvents(sessionId, id), signal, count(id)) });
  }
  const host = URL.canParse(connection.baseUrl) ? new URL(connection.baseUrl).host : connection.baseUrl;
  return {
    header: { exportedAt: new Date().toISOString(), source: `${connection.name} (${host})`, session, threads },
    logs,
  };
}
