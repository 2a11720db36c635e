import * as vscode from 'vscode';
import type { Agent } from '../../../client/schemas/agents';
import type { ServiceClient } from '../../../client/serviceClient';
import { listAll } from '../../../client/transport/pagination';
import { askChoice } from '../../../common/asking/askSteps';
import { showFailure, showInformation } from '../../../common/asking/notifications';
import { warnOfCut } from '../../../common/asking/warnOfCut';
import { describeError } from '../../../common/text/describeError';
import { hostOf } from '../../../common/text/presentation';
import type { AgentReference, SessionReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import type { SessionActionContext } from '../sessionActionContext';
import { toChosenAgent } from './lastAgent';
import type { SessionStarter } from './sessionStarter';

/**
 * Opens a new session panel that sends the same first message to two versions of an agent, in two sessions side by side. If `selected`, the
 * rows selected in the Agents view, are two versions of the agent, uses those. Finally offers to `compare` both.
 */
export async function runOnVersions(
  deps: SessionActionContext,
  starter: SessionStarter,
  agent: AgentReference,
  selected: readonly AgentReference[],
  compare: (both: readonly [SessionReference, SessionReference]) => Promise<void>,
): Promise<void> {
  const { t } = vscode.l10n;
  const { connection, client } = await reach(deps.connections, agent.connection, 'change', deps.isTrusted());
  const { data } = await client.agents.retrieve(agent.agentId);
  const name = toLabel(data.name?.trim() || agent.agentId, 60);
  const versions = twoOf(agent, selected) ?? (await askVersions(client, agent, t('Run {0} on Two Versions', name)));
  starter.open(connection, {
    heading: t('Run {0} v{1} and v{2}', name, ...versions),
    notes: [t('Two sessions are started on {0}, and each is paid for: it costs about twice as much as one.', hostOf(connection))],
    button: t('Start Two Sessions'),
    answers: { agent: toChosenAgent(data), versions },
    toMessage: text => text,
    onStarted: ([first, second]) => {
      if (first !== undefined && second !== undefined) {
        offerToCompare(() => compare([first, second])).catch(error => showFailure(describeError(error)));
      }
    },
  });
}

async function offerToCompare(compare: () => Promise<void>): Promise<void> {
  const button = vscode.l10n.t('Compare Sessions');
  if ((await showInformation(vscode.l10n.t('Sent to both versions.'), button)) === button) {
    await compare();
  }
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
