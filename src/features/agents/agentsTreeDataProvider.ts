import * as vscode from 'vscode';
import type { Agent } from '../../client/schemas/agents';
import { commandLink } from '../../common/commands';
import { describeError } from '../../common/text/describeError';
import { ageStays, type PresentationContext, type RowPresentation } from '../../common/text/presentation';
import { loadMoreRow, NodeTree, type TreeRow } from '../../common/tree/nodeTree';
import type { AgentReference } from '../../contributions';
import { type AgentDraft, type AgentDrafts, draftIdOf } from './agentDrafts';
import { isArchived, presentAgent, presentNewAgent, presentVersion } from './agentPresentation';
import type { AgentStore } from './agentStore';
import { toAgentUri } from './agentUri';

interface AgentRow {
  readonly kind: 'agent';
  readonly connection: string;
  readonly agent: Agent;
  readonly draft: AgentDraft | undefined;
  readonly hasVersions: boolean;
}

interface VersionRow {
  readonly kind: 'version';
  readonly connection: string;
  /** The agent as it was in this version. */
  readonly agent: Agent;
  readonly isLatest: boolean;
  readonly isArchivedAgent: boolean;
}

/** Row of the Agents view: an agent, one of its versions, an agent that exists only as a draft, a note, or a row that loads more. */
export type AgentsRow =
  | AgentRow
  | VersionRow
  | { readonly kind: 'new'; readonly draft: AgentDraft }
  | { readonly kind: 'noVersions'; readonly agentId: string }
  | { readonly kind: 'more'; readonly of?: AgentReference; readonly problem: unknown };

export type AgentsTree = NodeTree<AgentsRow>;

/** The agents of an `AgentStore` as VS Code's tree, with their versions below them. `readVersions` reads versions into the store. */
export function createAgentsTree(
  store: AgentStore,
  drafts: AgentDrafts,
  context: () => PresentationContext,
  readVersions: (connection: string, agentId: string) => Promise<void>,
  hoverOf: (agent: Agent, connection: string) => Promise<string>,
): AgentsTree {
  const cached = new WeakMap<Agent, AgentRow>();
  const toAgentRow = (connection: string, agent: Agent): AgentRow => {
    const draft = drafts.find(draftIdOf(connection, agent.id));
    const hasVersions = !store.lacksVersions(agent.id);
    const before = cached.get(agent);
    if (before?.connection === connection && before.draft === draft && before.hasVersions === hasVersions) {
      return before;
    }
    const row: AgentRow = { kind: 'agent', connection, agent, draft, hasVersions };
    cached.set(agent, row);
    return row;
  };
  const roots = (): readonly AgentsRow[] => {
    const { scope: connection, items, hasMore, moreProblem } = store.list;
    if (connection === undefined) {
      return [];
    }
    const news = drafts.of(connection).filter(({ agentId }) => agentId === undefined);
    return [
      ...news.map(draft => ({ kind: 'new', draft }) as const),
      ...items.map(agent => toAgentRow(connection, agent)),
      ...(hasMore ? [{ kind: 'more', problem: moreProblem } as const] : []),
    ];
  };
  return new NodeTree<AgentsRow>({
    roots,
    below: row => (row.kind === 'agent' ? versionRows(row, store) : []),
    load: async row => {
      if (row.kind === 'agent' && store.versionsOf(row.agent.id) === undefined) {
        await readVersions(row.connection, row.agent.id);
      }
    },
    key: keyOf,
    render: row => render(row, context()),
    hover: async row => ('agent' in row ? await hoverOf(row.agent, row.connection) : ''),
    now: () => context().now,
  });
}

function versionRows({ connection, agent }: AgentRow, store: AgentStore): readonly AgentsRow[] {
  const { items = [], nextCursor, problem, isUnsupported, latest } = store.versionsOf(agent.id) ?? {};
  if (isUnsupported) {
    return [{ kind: 'noVersions', agentId: agent.id }];
  }
  const isArchivedAgent = isArchived(agent);
  const rows = items.map(version => {
    return { kind: 'version', connection, agent: version, isLatest: version.version === latest, isArchivedAgent } as const;
  });
  const hasMore = nextCursor !== undefined || problem !== undefined;
  return [...rows, ...(hasMore ? [{ kind: 'more', of: { connection, agentId: agent.id }, problem } as const] : [])];
}

function keyOf(row: AgentsRow): string {
  switch (row.kind) {
    case 'agent':
      return JSON.stringify([row.connection, row.agent.id]);
    case 'version':
      return JSON.stringify([row.connection, row.agent.id, row.agent.version ?? 0]);
    case 'new':
      return `new ${row.draft.id}`;
    case 'noVersions':
      return `noVersions ${row.agentId}`;
    case 'more':
      return `more ${row.of?.agentId ?? ''}`;
  }
}

function render(row: AgentsRow, context: PresentationContext): TreeRow {
  const { t } = vscode.l10n;
  switch (row.kind) {
    case 'agent':
      return {
        ...toAgentItem(
          row,
          presentAgent(row.agent, row.draft, context, row.hasVersions),
          { connection: row.connection, agentId: row.agent.id },
          context,
        ),
        folding: 'collapsed',
      };
    case 'version': {
      const { connection, agent, isLatest, isArchivedAgent } = row;
      const target = { connection, agentId: agent.id, version: agent.version ?? 0 };
      return toAgentItem(row, presentVersion(agent, isLatest, isArchivedAgent, context), target, context);
    }
    case 'new': {
      const { draft } = row;
      const uri = toAgentUri({ kind: 'new', connection: draft.connection, draftId: draft.id }, draft.name);
      return {
        ...presentNewAgent(draft, context),
        target: uri,
        tooltip: t('Draft, not published'),
        command: { command: 'vscode.open', title: t('Open Draft'), arguments: [uri] },
      };
    }
    case 'noVersions': {
      const label = t('This service lists no versions');
      const tooltip = t('You can still open and publish the agent.');
      return { label, description: '', icon: 'info', color: undefined, abilities: '', spoken: label, tooltip };
    }
    case 'more': {
      const command = commandLink('managedAgents.agents.loadMore', t('Load More'), ...(row.of === undefined ? [] : [row.of]));
      return loadMoreRow(row.problem === undefined ? undefined : describeError(row.problem), command);
    }
  }
}

function toAgentItem(
  { agent }: AgentRow | VersionRow,
  shown: RowPresentation,
  target: AgentReference,
  { now }: PresentationContext,
): TreeRow {
  const time = agent.updated_at ?? agent.created_at;
  return {
    ...shown,
    target,
    command: commandLink('managedAgents.open', vscode.l10n.t('Open Agent'), target),
    hoverVersion: JSON.stringify([agent.version, agent.updated_at]),
    until: now + ageStays(time, now),
  };
}
