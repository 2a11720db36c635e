import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { showFailure, showInformation } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { describeError } from '../../../common/text/describeError';
import { hostOf } from '../../../common/text/presentation';
import type { AgentReference, AskReference, SessionReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import { readWholeLog } from '../facts/wholeLog';
import type { SessionActionContext } from '../sessionActionContext';
import { toChosenAgent } from './agentPicker';
import { type FilledStart, StartPanel } from './startPanel';
import { toFirstMessage, transcriptUpTo } from './transcriptAsContext';

/** Opens a new session panel that sends one first message to two versions of an agent. Finally offers to `compare` both sessions. */
export async function runOnVersions(
  deps: SessionActionContext,
  agent: AgentReference,
  selected: readonly AgentReference[],
  compare: (both: readonly [SessionReference, SessionReference]) => Promise<void>,
): Promise<void> {
  const { t } = vscode.l10n;
  const { connection, client } = await reach(deps.connections, agent.connection, 'change');
  const { data } = await client.agents.retrieve(agent.agentId);
  const name = toLabel(data.name?.trim() || agent.agentId, 60);
  const versions = pairOf(agent, selected, data.version ?? 1);
  const filled: FilledStart = {
    heading: t('Run {0} v{1} and v{2}', name, ...versions),
    notes: [t('This starts two sessions on {0}, which costs about twice as much as one.', hostOf(connection))],
    button: t('Start Two Sessions'),
    answers: { agent: toChosenAgent(data), versions },
    toMessage: text => text,
    onStarted: ([first, second]) => {
      if (first !== undefined && second !== undefined) {
        offerToCompare(() => compare([first, second])).catch(error => showFailure(describeError(error)));
      }
    },
  };
  new StartPanel(deps, connection, filled, { given: '' });
}

async function offerToCompare(compare: () => Promise<void>): Promise<void> {
  const button = vscode.l10n.t('Compare Sessions');
  if ((await showInformation(vscode.l10n.t('Sent to both versions.'), button)) === button) {
    await compare();
  }
}

/**
 * Returns two versions of the agent, older version first. These are the selected versions, otherwise the agent's version and the latest,
 * otherwise the two latest.
 */
function pairOf({ agentId, connection, version }: AgentReference, selected: readonly AgentReference[], latest: number): [number, number] {
  const rows = selected.filter(row => row.agentId === agentId && row.connection === connection);
  const chosen = new Set(rows.flatMap(row => row.version ?? []));
  const one = version ?? latest;
  const [first = one, second = one] = chosen.size === 2 ? chosen : [one, one === latest ? latest - 1 : latest];
  if (Math.min(first, second) < 1) {
    throw new Error(vscode.l10n.t('This agent has only one version. Publish another one first.'));
  }
  return [Math.min(first, second), Math.max(first, second)];
}

/**
 * Opens a new session panel for another session's agent. Its first message is the transcript up to an event, because services can't fork
 * sessions.
 */
export async function startAgain(deps: SessionActionContext, { connection: name, sessionId, eventId }: AskReference): Promise<void> {
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
    throw new Error(t('There are no messages before this point.'));
  }
  const boundary = `transcript ${randomUUID()}`;
  const toMessage = (wish: string) => toFirstMessage(context, sessionId, wish, boundary);
  const { length } = toMessage('');
  const notes = [
    t("This is an approximation, because the service can't fork sessions."),
    context.entries === 1
      ? t('The first message contains the transcript (1 entry, {0} characters), charged as input.', length)
      : t('The first message contains the transcript ({0} entries, {1} characters), charged as input.', context.entries, length),
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
  const filled: FilledStart = { heading, notes: notes.filter(Boolean), button: t('Start'), answers, toMessage };
  new StartPanel(deps, connection, filled, { given: t('Continue from this point.') });
}
