import * as vscode from 'vscode';
import { showFailure, showInformation } from '../../../common/asking/notifications';
import { describeError } from '../../../common/text/describeError';
import { hostOf } from '../../../common/text/presentation';
import type { AgentReference, SessionReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import type { SessionActionContext } from '../sessionActionContext';
import { toChosenAgent } from './agentPicker';
import type { SessionStarter } from './startPanel';

/** Opens a new session panel that sends one first message to two versions of an agent. Finally offers to `compare` both sessions. */
export async function runOnVersions(
  deps: SessionActionContext,
  starter: SessionStarter,
  agent: AgentReference,
  selected: readonly AgentReference[],
  compare: (both: readonly [SessionReference, SessionReference]) => Promise<void>,
): Promise<void> {
  const { t } = vscode.l10n;
  const { connection, client } = await reach(deps.connections, agent.connection, 'change');
  const { data } = await client.agents.retrieve(agent.agentId);
  const name = toLabel(data.name?.trim() || agent.agentId, 60);
  const versions = pairOf(agent, selected, data.version ?? 1);
  starter.open(connection, {
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
  });
}

async function offerToCompare(compare: () => Promise<void>): Promise<void> {
  const button = vscode.l10n.t('Compare Sessions');
  if ((await showInformation(vscode.l10n.t('Sent to both versions.'), button)) === button) {
    await compare();
  }
}

/** Returns two versions of the agent, older one first: the selected ones, else the agent's version and the latest, else the two latest. */
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
