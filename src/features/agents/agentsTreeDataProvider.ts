import * as vscode from 'vscode';
import type { Agent } from '../../client/schemas/agents';
import { commandLink } from '../../common/commands';
import { Drawn } from '../../common/lists/drawn';
import { KeptLooks } from '../../common/lists/keptLooks';
import { decorate, fewRows, LoadMoreTreeItem, lookOf, redrawn } from '../../common/lists/treeItems';
import { describeError } from '../../common/text/describeError';
import type { PresentationContext } from '../../common/text/presentation';
import type { AgentReference } from '../../contributions';
import { type AgentDraft, type AgentDrafts, draftIdOf } from './agentDrafts';
import { isArchived, presentAgent, presentNewAgent, presentVersion } from './agentPresentation';
import type { AgentStore } from './agentStore';
import { toAgentUri } from './agentUri';

/** Row of an agent or one of its versions. A command accepts it as a reference to the agent. */
export class AgentTreeItem extends vscode.TreeItem implements AgentReference {
  readonly agentId: string;
  readonly version?: number;

  constructor(
    readonly connection: string,
    readonly agent: Agent,
    /** Only set on the row of a version. */
    version?: number,
  ) {
    super('');
    this.agentId = agent.id;
    if (version !== undefined) {
      this.version = version;
    }
    this.id = JSON.stringify([connection, agent.id, version]);
    this.command = commandLink('managedAgents.open', vscode.l10n.t('Open Agent'), this.reference);
  }

  get reference(): AgentReference {
    const { connection, agentId, version } = this;
    return version === undefined ? { connection, agentId } : { connection, agentId, version };
  }
}

/** Row of an agent that exists only as a draft. */
export class NewAgentTreeItem extends vscode.TreeItem {
  constructor(readonly draft: AgentDraft) {
    super('');
    this.id = `new ${draft.id}`;
    // Without a tooltip, VS Code waits for the tree to resolve one.
    this.tooltip = vscode.l10n.t('A draft on this machine: the service does not have this agent yet');
    const uri = toAgentUri({ kind: 'new', connection: draft.connection, draftId: draft.id }, draft.name);
    this.command = { command: 'vscode.open', title: vscode.l10n.t('Open Draft'), arguments: [uri] };
  }
}

/** Row in place of an agent's versions if the service lists none. */
class NoVersionsTreeItem extends vscode.TreeItem {
  constructor(connection: string, agentId: string) {
    super(vscode.l10n.t('This service lists no versions'));
    this.id = JSON.stringify([connection, agentId, 'none']);
    this.iconPath = new vscode.ThemeIcon('info');
    // Without a tooltip, VS Code waits for the tree to resolve one.
    this.tooltip = vscode.l10n.t('The agent itself can be opened and published all the same.');
  }
}

export type AgentsTreeItem = AgentTreeItem | NewAgentTreeItem | LoadMoreTreeItem | vscode.TreeItem;

/** Tree data provider for the agents of an `AgentStore`, with their versions below them. */
export class AgentsTreeDataProvider implements vscode.TreeDataProvider<AgentsTreeItem> {
  private readonly changed = new vscode.EventEmitter<AgentsTreeItem[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly drawn = new Drawn<AgentsTreeItem>();
  /** Rows of the current connection, by the IDs of what they represent. VS Code identifies rows by these objects. */
  private readonly items = new Map<string, AgentsTreeItem>();
  private connection: string | undefined;
  private readonly looks = new KeptLooks<Agent, AgentTreeItem>(() => this.context().now);

  constructor(
    private readonly store: AgentStore,
    private readonly drafts: AgentDrafts,
    private readonly context: () => PresentationContext,
    /** Reads versions of an agent into the store. */
    private readonly readVersions: (connection: string, agentId: string) => Promise<void>,
    private readonly hoverOf: (agent: Agent, connection: string) => Promise<string>,
  ) {}

  /** Refreshes rows whose appearance changed, or all rows if some were added or removed. */
  refresh(): void {
    const { scope } = this.store.list;
    if (this.connection !== scope) {
      this.connection = scope;
      this.items.clear();
    }
    const { wasSame, changed } = this.drawn.take({
      roots: this.agents(),
      below: item => (item instanceof AgentTreeItem && item.version === undefined ? this.versionRows(item) : []),
      lookOf,
    });
    if (!wasSame || changed.length > fewRows) {
      this.changed.fire(undefined);
    } else if (changed.length > 0) {
      this.changed.fire(changed);
    }
  }

  getTreeItem(item: AgentsTreeItem): vscode.TreeItem {
    return item;
  }

  getParent(): undefined {
    return undefined;
  }

  async getChildren(parent?: AgentsTreeItem): Promise<AgentsTreeItem[]> {
    if (parent === undefined) {
      return this.agents();
    }
    return parent instanceof AgentTreeItem && parent.version === undefined ? await this.versions(parent) : [];
  }

  async resolveTreeItem(item: vscode.TreeItem, element: AgentsTreeItem): Promise<vscode.TreeItem> {
    if (element instanceof AgentTreeItem) {
      item.tooltip = new vscode.MarkdownString(await this.hoverOf(element.agent, element.connection));
    }
    return item;
  }

  private agents(): AgentsTreeItem[] {
    const { list } = this.store;
    const connection = list.scope;
    if (connection === undefined) {
      return [];
    }
    const drafts = this.drafts.of(connection);
    const news = drafts
      .filter(({ agentId }) => agentId === undefined)
      .map(draft => this.same(draw(new NewAgentTreeItem(draft), presentNewAgent(draft, this.context()))));
    const agents = list.items.map(agent => {
      const draft = this.drafts.find(draftIdOf(connection, agent.id));
      const lacksVersions = this.store.lacksVersions(agent.id);
      return this.looks.of(agent, [connection, draft, lacksVersions], () => {
        const item = draw(new AgentTreeItem(connection, agent), presentAgent(agent, draft, this.context(), !lacksVersions));
        item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
        return this.same(item);
      });
    });
    const problem = list.moreProblem === undefined ? undefined : describeError(list.moreProblem);
    const more = commandLink('managedAgents.agents.loadMore', vscode.l10n.t('Load More'));
    return [...news, ...agents, ...(list.hasMore ? [this.same(new LoadMoreTreeItem('more', problem, more))] : [])];
  }

  /** Returns the existing row with the same ID, updated, or the new one. */
  private same<T extends AgentsTreeItem>(now: T): T {
    const item = redrawn(this.items.get(now.id ?? '') as T | undefined, now);
    this.items.set(now.id ?? '', item);
    return item;
  }

  private async versions(item: AgentTreeItem): Promise<AgentsTreeItem[]> {
    if (this.store.versionsOf(item.agentId) === undefined) {
      await this.readVersions(item.connection, item.agentId);
    }
    return this.versionRows(item);
  }

  private versionRows({ connection, agent }: AgentTreeItem): AgentsTreeItem[] {
    const { items = [], nextCursor, problem, isUnsupported, latest } = this.store.versionsOf(agent.id) ?? {};
    if (isUnsupported) {
      return [this.same(new NoVersionsTreeItem(connection, agent.id))];
    }
    const rows: AgentsTreeItem[] = items.map(version =>
      this.same(
        draw(
          new AgentTreeItem(connection, version, version.version ?? 0),
          presentVersion(version, version.version === latest, isArchived(agent), this.context()),
        ),
      ),
    );
    if (nextCursor !== undefined || problem !== undefined) {
      const more = commandLink('managedAgents.agents.loadMore', vscode.l10n.t('Load More'), { connection, agentId: agent.id });
      rows.push(this.same(new LoadMoreTreeItem(`more ${agent.id}`, problem === undefined ? undefined : describeError(problem), more)));
    }
    return rows;
  }
}

function draw<T extends vscode.TreeItem>(item: T, row: Parameters<typeof decorate>[1]): T {
  item.label = row.label;
  decorate(item, row);
  return item;
}
