import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { IgnoredField } from '../../../client/ignoredFields';
import { askText } from '../../../common/asking/askSteps';
import { askModal } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { CancelledError } from '../../../common/cancellation';
import { describeIgnored } from '../../../common/text/describeIgnored';
import { hostOf } from '../../../common/text/presentation';
import type { AskReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import { readWholeLog } from '../exporting/wholeLog';
import type { SessionActionContext } from '../sessionActionContext';
import { sendFirstMessage } from './sendFirstMessage';
import { startSession } from './sessionStart';
import { toFirstMessage, transcriptUpTo } from './transcriptAsContext';

/**
 * Starts a session with the agent of another one. Its first message is the transcript of that session up to an event. The service can't
 * fork sessions, so this is an approximation, and both the user and the agent get to know that.
 */
export async function startAgain(deps: SessionActionContext, { connection: name, sessionId, eventId }: AskReference): Promise<void> {
  const { t } = vscode.l10n;
  const { connection, client } = await reach(deps.connections, name, 'change', deps.isTrusted());
  const { data: session } = await client.sessions.retrieve(sessionId);
  const agentId = session.agent?.id;
  if (typeof agentId !== 'string') {
    throw new Error(t('It is not known which agent this session runs.'));
  }
  const events = await withProgress(t('Reading the session'), deps.lifetime, (signal, report) =>
    readWholeLog(client.sessions.events(sessionId), signal, count => report(count === 1 ? t('1 event read') : t('{0} events read', count))),
  );
  const context = transcriptUpTo(events, eventId);
  if (context === undefined || context.entries === 0) {
    throw new Error(t('There is nothing up to there that a session could go on from.'));
  }
  const title = t('Start Again From Here');
  const wish = await askText({
    title,
    value: t('Go on from there.'),
    prompt: t('What is it to do? This follows the transcript in the first message.'),
    validate: text => (text.trim() === '' ? t('Enter a message') : undefined),
  });
  const message = toFirstMessage(context, sessionId, wish, `transcript ${randomUUID()}`);
  const version = session.agent?.version ?? undefined;
  const agent = toLabel(session.agent?.name?.trim() || agentId, 60);
  const leftOut = describeLeftOut(context.leftOut);
  const shortened = describeShortened(context.shortened);
  const detail = [
    t('This is an approximation: the service has no way to fork a session.'),
    t('The new session has {0}{1}, the same environment and vaults.', agent, version === undefined ? '' : ` v${version}`),
    context.entries === 1
      ? t('Its first message is the transcript as text: 1 entry, {0} characters, which are paid for as input.', message.length)
      : t(
          'Its first message is the transcript as text: {0} entries, {1} characters, which are paid for as input.',
          context.entries,
          message.length,
        ),
    leftOut,
    shortened,
    t('Files, repositories, memory stores and what tools changed are not taken along.'),
  ];
  const start = t('Start Session');
  const question = t('Start a new session on {0} from this point?', hostOf(connection));
  if ((await askModal(question, { detail: detail.filter(line => line !== '').join('\n') }, start)) !== start) {
    throw new CancelledError();
  }
  const params = {
    agentId,
    agentVersion: version,
    environmentId: session.environment_id ?? undefined,
    title: t('Again: {0}', toLabel(session.title?.trim() || sessionId, 80)),
    files: [],
    folder: '',
    ...(session.vault_ids && { vaultIds: session.vault_ids }),
  };
  const started = await withProgress(t('Starting a session'), deps.lifetime, (signal, report) =>
    startSession(client, params, { signal, report, uploaded: new Map(), describeUpload: () => '' }),
  );
  const reference = { connection: connection.name, sessionId: started.session.id };
  deps.store.put(connection.name, started.session);
  await deps.followed.follow(reference, Date.now());
  await deps.panels.open(reference, { isBeside: true });
  if (started.ignored.length > 0 && !(await confirmOther(started.ignored))) {
    throw new CancelledError();
  }
  await sendFirstMessage(deps, client.sessions, reference, message);
  await deps.refresh();
}

async function confirmOther(ignored: readonly IgnoredField[]): Promise<boolean> {
  const { t } = vscode.l10n;
  const send = t('Send All the Same');
  const detail = describeIgnored(t('the session'), ignored, t);
  return (await askModal(t('Send the first message to a session that is not what you asked for?'), { detail }, send)) === send;
}

function describeLeftOut(entries: number): string {
  const { t } = vscode.l10n;
  if (entries < 2) {
    return entries === 0 ? '' : t('The oldest entry does not fit and is left out.');
  }
  return t('The oldest {0} entries do not fit and are left out.', entries);
}

function describeShortened(entries: number): string {
  const { t } = vscode.l10n;
  if (entries < 2) {
    return entries === 0 ? '' : t('1 long entry is shortened.');
  }
  return t('{0} long entries are shortened.', entries);
}
