import type { Event } from 'vscode';
import type { ListOptions, Page } from '../../client/answer';
import type { Agent } from '../../client/schemas/agents';
import { Emitter } from '../../common/emitter';
import { PagedList } from '../../common/pagedList';

/** The versions of one agent as far as they were read, newest first. */
export interface AgentVersions {
  readonly items: readonly Agent[];
  readonly nextCursor: string | undefined;
  readonly problem: unknown;
}

/** The agents of one connection and the versions of those that were unfolded. */
export class AgentStore {
  readonly list = new PagedList<Agent>();
  private readonly versions = new Map<string, AgentVersions>();
  private readonly changed = new Emitter<void>();

  /** Fires when agents, versions or state changed. */
  readonly onDidChange: Event<void> = this.changed.event;

  constructor() {
    this.list.onDidChange(() => this.changed.fire());
  }

  reset(connection: string | undefined): void {
    this.versions.clear();
    this.list.reset(connection);
  }

  versionsOf(agentId: string): AgentVersions | undefined {
    return this.versions.get(agentId);
  }

  /** Takes in a fresh first page, and forgets the versions of agents that have newer ones. */
  acceptFirstPage(connection: string, page: Page<Agent>): void {
    for (const agent of page.items) {
      this.forgetOldVersions(agent);
    }
    this.list.acceptFirstPage(connection, page);
  }

  /** Puts in an agent as just published, archived or made. */
  put(connection: string, agent: Agent): void {
    if (connection === this.list.scope) {
      this.forgetOldVersions(agent);
      this.list.put(connection, agent);
    }
  }

  /** Reads the first versions of an agent, or the next ones. What fails is told by the versions' `problem`. */
  async readVersions(agentId: string, list: (options: ListOptions) => Promise<Page<Agent>>): Promise<void> {
    const known = this.versions.get(agentId);
    const scope = this.list.scope;
    try {
      const page = await list({ limit: versionsAtATime, cursor: known?.nextCursor });
      if (scope !== this.list.scope) {
        return;
      }
      const seen = new Set(known?.items.map(({ version }) => version));
      const fresh = page.items.filter(({ version }) => !seen.has(version));
      const nextCursor = fresh.length === 0 || page.nextCursor === known?.nextCursor ? undefined : page.nextCursor;
      this.versions.set(agentId, { items: [...(known?.items ?? []), ...fresh], nextCursor, problem: undefined });
    } catch (problem) {
      if (scope === this.list.scope) {
        this.versions.set(agentId, { items: known?.items ?? [], nextCursor: known?.nextCursor, problem });
      }
    }
    this.changed.fire();
  }

  private forgetOldVersions(agent: Agent): void {
    if (this.versions.get(agent.id)?.items[0]?.version !== agent.version) {
      this.versions.delete(agent.id);
    }
  }
}

const versionsAtATime = 20;
