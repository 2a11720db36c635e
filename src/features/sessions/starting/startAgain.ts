import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { withProgress } from '../../../common/asking/progress';
import type { AskReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import { readWholeLog } from '../facts/wholeLog';
import type { SessionActionContext } from '../sessionActionContext';
import type { SessionStarter } from './startPanel';
import { toFirstMessage, transcriptUpTo } from './transcriptAsContext';

/**
 * Opens a new session panel for another session's agent. Its first message is the transcript up to an event, as services can't fork
 * sessions.
 */
export async function startAgain(
  deps: SessionActionContext,
  starter: SessionStarter,
  { connection: name, sessionId, eventId }: AskReference,
): Promise<void> {
  const { t } = vscode.l10n;
  const { connection, client } = await reach(deps.connections, name, 'change');
  const { data: session } = await client.sessions.retrieve(sessionId);
  const { id, version, name: agent } = session.agent ?? {};
  if (typeof id !== 'string') {
    throw new Error(t('The agent of this session is unknown.'));
  }
  const events = await withProgress(t('Reading the session'), deps.lifetime, (signal, report) =>
    readWholeLog(client.sessions.events(sessionId), signal, count => report(count === 1 ? t('1 event read') : t('{0} events read', count))),
  );
  const context = transcriptUpTo(events, eventId);
  if (context === undefined || context.entries === 0) {
    throw new Error(t("There's no conversation before this point to continue."));
  }
  const boundary = `transcript ${randomUUID()}`;
  const toMessage = (wish: string) => toFirstMessage(context, sessionId, wish, boundary);
  const { length } = toMessage('');
  const notes = [
    t("This is an approximation, because the service can't fork sessions."),
    context.entries === 1
      ? t('Its first message is the transcript as text: 1 entry, {0} characters, charged as input.', length)
      : t('Its first message is the transcript as text: {0} entries, {1} characters, charged as input.', context.entries, length),
    context.leftOut === 0 ? '' : t('Oldest entries left out: {0}.', context.leftOut),
    context.shortened === 0 ? '' : t('Long entries shortened: {0}.', context.shortened),
    t("Files, repositories, memory stores and changes made by tools aren't copied."),
  ];
  const environment = session.environment_id;
  const answers = {
    agent: { id, name: agent?.trim() || id, version: version ?? undefined, latest: undefined },
    ...(environment && { environment: { id: environment, name: environment } }),
    title: t('Continued: {0}', toLabel(session.title?.trim() || sessionId, 80)),
    vaults: (session.vault_ids ?? []).map(vault => ({ id: vault, name: vault })),
  };
  const heading = t('Start Again From Here');
  starter.open(connection, { heading, notes: notes.filter(Boolean), button: t('Start'), answers, toMessage }, t('Continue from there.'));
}
