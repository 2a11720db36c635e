import * as vscode from 'vscode';
import type { Agent } from '../../client/schemas/agents';
import { pickListed, toChoice } from '../../common/asking/pickListed';
import type { PresentationContext, RowPresentation } from '../../common/text/presentation';
import type { AgentReference, Reference } from '../../contributions';
import { type Connections, readyConnection } from '../connection';
import type { ResourceList } from '../resources/lists';
import { type AgentDrafts, draftIdOf } from './agentDrafts';
import type { AgentFiles } from './agentFiles';
import { agentKind } from './agentKind';
import { presentAgent, presentNewAgent } from './agentPresentation';
import type { AgentService } from './agentService';
import type { AgentStore } from './agentStore';
import { type AgentLocation, parseAgentUri } from './agentUri';
import { type PromptFiles, promptScheme, toAgentUri } from './prompt/promptFiles';

/** Dependencies that all agent commands share. */
export interface AgentFlow {
  readonly connections: Connections;
  readonly service: AgentService;
  readonly drafts: AgentDrafts;
  readonly files: AgentFiles;
  readonly prompts: PromptFiles;
  readonly store: AgentStore;
  readonly presentation: () => PresentationContext;
  /** Refreshes the list of agents. Resolves when the store is updated. */
  readonly refresh: () => Promise<void>;
  /** Reads the first page of agents or the next one, because the user asked for it. */
  readonly readOn: () => Promise<void>;
}

/** Argument of an agent command: a reference, a document of the agent or its prompt, or the name of the kind. */
export type AgentTarget = AgentReference | vscode.Uri | string;

/**
 * Returns the agent that a command is about: that of a row or document, or of the active document if there is no argument. Otherwise the
 * user chooses one that supports `ability`.
 */
export async function agentLocationOf(flow: AgentFlow, target: AgentTarget | undefined, ability = 'agent'): Promise<AgentLocation> {
  const document = target ?? vscode.window.activeTextEditor?.document.uri;
  if (document instanceof vscode.Uri || typeof document !== 'object') {
    return (document instanceof vscode.Uri ? placeIn(document) : undefined) ?? (await pickPlace(flow, ability));
  }
  return toPlace(document);
}

/** Returns the agent that a document shows, also if it is the document of a prompt. */
function placeIn(uri: vscode.Uri): AgentLocation | undefined {
  return parseAgentUri(uri.scheme === promptScheme ? toAgentUri(uri) : uri);
}

function toPlace({ connection, agentId, version }: AgentReference): AgentLocation {
  return version === undefined ? { kind: 'agent', connection, agentId } : { kind: 'version', connection, agentId, version };
}

/** As `placeOf`, but throws for an agent that the service does not have. */
export async function agentOf(flow: AgentFlow, target: AgentTarget | undefined, ability?: string): Promise<AgentReference> {
  const place = await agentLocationOf(flow, target, ability);
  if (place.kind === 'new') {
    throw new Error(vscode.l10n.t("This draft isn't on the service yet. Publish it first."));
  }
  const { connection, agentId } = place;
  return place.kind === 'version' ? { connection, agentId, version: place.version } : { connection, agentId };
}

/** Returns the list to which an agent of a connection belongs, whether or not it is listed. */
export function listingOf(
  { store }: Pick<AgentFlow, 'store'>,
  connection: string,
): Pick<ResourceList<Agent>, 'kind' | 'connection' | 'list'> {
  return { kind: agentKind, connection, list: store.list };
}

/** Returns the agent's reference as a resource. */
export function toReference({ connection, agentId }: AgentReference): Reference {
  return { connection, kind: agentKind.kind, id: agentId };
}

/** Asks the user to choose one of the listed agents and new drafts, or to enter an ID. */
async function pickPlace(flow: AgentFlow, ability: string): Promise<AgentLocation> {
  const { store, drafts } = flow;
  const { name: connection } = await readyConnection(flow.connections);
  await drafts.load();
  const fits = ({ abilities }: RowPresentation) => abilities.split(' ').includes(ability);
  return await pickListed<AgentLocation>({
    title: agentKind.title(vscode.l10n.t),
    placeholder: vscode.l10n.t('Select an agent'),
    none: () =>
      store.list.state === 'unsupported'
        ? vscode.l10n.t('This service has no agents')
        : ability === 'hasDraft'
          ? vscode.l10n.t("There's no draft. Change and save the document first.")
          : store.list.items.length === 0
            ? vscode.l10n.t('None yet')
            : vscode.l10n.t('No matches'),
    list: store.list,
    choices: () => {
      const context = flow.presentation();
      const news = drafts.of(connection).filter(({ agentId }) => agentId === undefined);
      const agents = store.list.items.map(
        agent => [presentAgent(agent, drafts.find(draftIdOf(connection, agent.id)), context), agent.id] as const,
      );
      return [
        ...news.flatMap(draft => {
          const row = presentNewAgent(draft, context);
          return fits(row) ? [toChoice<AgentLocation>(row, '', { kind: 'new', connection, draftId: draft.id })] : [];
        }),
        ...agents.flatMap(([row, id]) => (fits(row) ? [toChoice(row, id, toPlace({ connection, agentId: id }))] : [])),
      ];
    },
    read: () => flow.readOn(),
    mayBeUnlisted: ability === 'agent',
    // Drafts are local, so they can't be found by ID.
    ...(ability === 'hasDraft' ? {} : { byId: agentId => toPlace({ connection, agentId }) }),
  });
}
