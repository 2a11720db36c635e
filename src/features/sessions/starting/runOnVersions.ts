import * as vscode from 'vscode';
import type { Agent } from '../../../client/schemas/agents';
import type { ServiceClient } from '../../../client/serviceClient';
import { listAll } from '../../../client/transport/pagination';
import { askChoice, askText } from '../../../common/asking/askSteps';
import { askModal, showFailure, showInformation } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { warnOfCut } from '../../../common/asking/warnOfCut';
import { CancelledError } from '../../../common/cancellation';
import { describeError } from '../../../common/text/describeError';
import { hostOf } from '../../../common/text/presentation';
import type { AgentReference, SessionReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { type Reached, reach } from '../../connection';
import type { SessionActionContext } from '../sessionActionContext';
import { chooseEnvironment, listEnvironments, onlyEnvironment } from './environmentChoice';
import { sendFirstMessage } from './sendFirstMessage';
import { type StartedPair, startPair } from './startPair';

/**
 * Sends the same first message to two versions of an agent, in two sessions that open side by side. Asks once before that, and says that it
 * costs twice. If `selected`, the rows selected in the Agents view, are two versions of one agent, uses those. Finally offers to `compare`
 * both.
 */
export async function runOnVersions(
  deps: SessionActionContext,
  agent: AgentReference,
  selected: readonly AgentReference[],
  compare: (both: readonly [SessionReference, SessionReference]) => Promise<void>,
): Promise<void> {
  const { t } = vscode.l10n;
  const reached = await reach(deps.connections, agent.connection, 'change', deps.isTrusted());
  const { connection, client } = reached;
  const { data } = await client.agents.retrieve(agent.agentId);
  const name = toLabel(data.name?.trim() || agent.agentId, 60);
  const title = t('Run {0} on Two Versions', name);
  const versions = twoOf(agent, selected) ?? (await askVersions(client, agent, title));
  const environments = await listEnvironments(client, deps.lifetime);
  const environment = environments && (onlyEnvironment(environments) ?? (await chooseEnvironment(client, environments, title)));
  const message = await askText({
    title,
    prompt: t('First message, to both of them'),
    validate: text => (text.trim() === '' ? t('Enter a message') : undefined),
  });
  const start = t('Start Two Sessions');
  const confirmed = await askModal(
    t('Send the same message to version {0} and version {1} of {2}?', versions[0], versions[1], name),
    { detail: t('Two sessions are started on {0}, and each is paid for: it costs about twice as much as one.', hostOf(connection)) },
    start,
  );
  if (confirmed !== start) {
    throw new CancelledError();
  }
  const titleOf = (version: number) => `${toLabel(message, 60)} · v${version}`;
  const pair = await withProgress(t('Starting two sessions'), deps.lifetime, signal =>
    startPair(client.sessions, { agentId: agent.agentId, environmentId: environment?.id, titleOf }, versions, signal),
  );
  const [first, second] = await openPair(deps, reached, pair, message);
  if (first !== undefined && second !== undefined) {
    offerToCompare(() => compare([first, second])).catch(error => showFailure(describeError(error)));
  }
}

/** Opens the started sessions side by side. Sends the message only if both were started. */
async function openPair(
  deps: SessionActionContext,
  { connection, client }: Reached,
  pair: StartedPair,
  message: string,
): Promise<readonly SessionReference[]> {
  const references = pair.sessions.map(({ id }) => ({ connection: connection.name, sessionId: id }));
  for (const [index, reference] of references.entries()) {
    deps.store.put(connection.name, pair.sessions[index] ?? { id: reference.sessionId, type: 'session' });
    await deps.followed.follow(reference, Date.now());
    await deps.panels.open(reference, index === 0 ? {} : { isBeside: true });
  }
  if (pair.problem !== undefined) {
    throw new Error(describeProblem(pair.problem, references.length));
  }
  const sent = await Promise.allSettled(references.map(reference => sendFirstMessage(deps, client.sessions, reference, message)));
  await deps.refresh();
  const failed = sent.find(result => result.status === 'rejected');
  if (failed !== undefined) {
    throw failed.reason;
  }
  return references;
}

async function offerToCompare(compare: () => Promise<void>): Promise<void> {
  const button = vscode.l10n.t('Compare Sessions');
  if ((await showInformation(vscode.l10n.t('Sent to both versions.'), button)) === button) {
    await compare();
  }
}

function describeProblem({ version, error, got }: NonNullable<StartedPair['problem']>, started: number): string {
  const { t } = vscode.l10n;
  const why =
    got === undefined
      ? t('The session of version {0} could not be started. {1}', version, describeError(error))
      : t('The service ignored the chosen version {0}: the session has version {1}.', version, got);
  const left = started === 0 ? '' : ` ${t('Nothing was sent to what was started: delete it, or send to it yourself.')}`;
  return `${why}${left}`;
}

/** Returns the two selected versions of the agent, older one first. `undefined` if the number is not two. */
function twoOf({ agentId, connection }: AgentReference, selected: readonly AgentReference[]): [number, number] | undefined {
  const [one, two, ...others] = selected.flatMap(each =>
    each.agentId === agentId && each.connection === connection && each.version !== undefined ? [each.version] : [],
  );
  return one === undefined || two === undefined || one === two || others.length > 0 ? undefined : [Math.min(one, two), Math.max(one, two)];
}

async function askVersions(client: ServiceClient, agent: AgentReference, title: string): Promise<[number, number]> {
  const { t } = vscode.l10n;
  const versions: number[] = [];
  const bounds = { limit: 100, maxPages: 10, keyOf: ({ version }: Agent) => String(version), onCut: warnOfCut };
  for await (const { version } of listAll<Agent>(options => client.agents.versions(agent.agentId, options), bounds)) {
    if (typeof version === 'number') {
      versions.push(version);
    }
  }
  if (versions.length < 2) {
    throw new Error(t('This agent has one version only. Publish another one first.'));
  }
  versions.sort((a, b) => b - a);
  const ask = (placeholder: string, offered: readonly number[]) =>
    askChoice<number>({ title, placeholder, choices: offered.map(version => ({ label: t('Version {0}', version), value: version })) });
  const one = agent.version ?? (await ask(t('On which version?'), versions));
  const two = await ask(
    t('On version {0} and on which other?', one),
    versions.filter(version => version !== one),
  );
  return [Math.min(one, two), Math.max(one, two)];
}
