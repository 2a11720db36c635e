import * as vscode from 'vscode';
import { CancelledError } from '../../common/cancellation';
import { describeTrust } from '../../common/text/describeTrust';
import type { PresentationContext, RowPresentation } from '../../common/text/presentation';
import { withoutIcons } from '../../common/text/withoutIcons';
import type { AgentReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { type Connection, type Connections, readyConnection } from '../connection';
import { type AgentDrafts, draftIdOf } from './agentDrafts';
import type { AgentFiles } from './agentFiles';
import { presentAgent, presentNewAgent } from './agentPresentation';
import type { AgentService } from './agentService';
import type { AgentStore } from './agentStore';
import { NewAgentTreeItem } from './agentsTreeDataProvider';
import { type AgentPlace, parseAgentUri } from './agentUri';

/** What the commands on agents share. */
export interface AgentFlow {
  readonly connections: Connections;
  readonly service: AgentService;
  readonly drafts: AgentDrafts;
  readonly files: AgentFiles;
  readonly store: AgentStore;
  readonly presentation: () => PresentationContext;
  /** Lists the agents anew; settles when they are in the store. */
  readonly refresh: () => Promise<void>;
}

/**
 * What a command is about: a row, a document, or, when it was called from the palette, the document in front or the user's choice
 * among those that have an ability.
 */
export async function placeOf(
  flow: AgentFlow,
  target: AgentReference | vscode.Uri | undefined,
  question: string,
  ability = 'agent',
): Promise<AgentPlace> {
  if (target instanceof vscode.Uri) {
    return parseAgentUri(target) ?? (await pickPlace(flow, question, ability));
  }
  if (target instanceof NewAgentTreeItem) {
    return { kind: 'new', connection: target.draft.connection, draftId: target.draft.id };
  }
  if (target !== undefined) {
    return toPlace(target);
  }
  const active = vscode.window.activeTextEditor?.document.uri;
  return (active && parseAgentUri(active)) ?? (await pickPlace(flow, question, ability));
}

function toPlace({ connection, agentId, version }: AgentReference): AgentPlace {
  return version === undefined ? { kind: 'agent', connection, agentId } : { kind: 'version', connection, agentId, version };
}

/** As `placeOf`, where only an agent that the service has will do. */
export async function agentOf(
  flow: AgentFlow,
  target: AgentReference | vscode.Uri | undefined,
  question: string,
  ability?: string,
): Promise<AgentReference> {
  const place = await placeOf(flow, target, question, ability);
  if (place.kind === 'new') {
    throw new Error(vscode.l10n.t('This agent is a draft that the service does not have yet. Publish it first.'));
  }
  const { connection, agentId } = place;
  return place.kind === 'version' ? { connection, agentId, version: place.version } : { connection, agentId };
}

/** The connection of this window, after leading the user to one where there is none. */
export function connectionOf({ connections }: Pick<AgentFlow, 'connections'>): Promise<Connection> {
  return readyConnection(connections, {
    question: vscode.l10n.t('Of which service?'),
    untrusted: describeTrust(vscode.l10n.t),
  });
}

/** Lets the user choose among the listed agents and the drafts of new ones. */
async function pickPlace(flow: AgentFlow, placeHolder: string, ability: string): Promise<AgentPlace> {
  const { store, drafts } = flow;
  const context = flow.presentation();
  const { name: connection } = await connectionOf(flow);
  if (store.list.scope !== connection || store.list.items.length === 0) {
    await flow.refresh();
  }
  await drafts.load();
  const places: readonly (readonly [row: RowPresentation, place: AgentPlace, id: string])[] = [
    ...drafts
      .of(connection)
      .filter(({ agentId }) => agentId === undefined)
      .map(draft => [presentNewAgent(draft, context), { kind: 'new', connection, draftId: draft.id }, ''] as const),
    ...store.list.items.map(
      agent =>
        [
          presentAgent(agent, drafts.find(draftIdOf(connection, agent.id)), context),
          { kind: 'agent', connection, agentId: agent.id },
          agent.id,
        ] as const,
    ),
  ];
  const items = places
    .filter(([{ abilities }]) => abilities.split(' ').includes(ability))
    .map(([row, place, id]) => ({
      label: `$(${row.icon}) ${withoutIcons(row.label)}`,
      description: withoutIcons(row.description),
      detail: withoutIcons(toLabel(id, 100)),
      place,
    }));
  if (items.length === 0) {
    if (places.length === 0 && store.list.state === 'unsupported') {
      throw new Error(vscode.l10n.t('This service has no agents.'), { cause: store.list.problem });
    }
    throw places.length === 0 && store.list.problem !== undefined
      ? store.list.problem
      : new Error(vscode.l10n.t('No listed agent fits. Create one with New Agent, or load more in the Agents view.'));
  }
  const chosen = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true, matchOnDetail: true });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  return chosen.place;
}
