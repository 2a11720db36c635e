import type { Event } from 'vscode';
import type { Agent } from '../../client/schemas/agents';
import type { ListOptions, Page } from '../../client/transport/callResult';
import { ListCutError } from '../../client/transport/pagination';
import { Emitter } from '../../common/emitter';
import { PagedList, toListingState } from '../../common/lists/pagedList';

/** Loaded versions of one agent, newest first. */
export interface AgentVersions {
  readonly items: readonly Agent[];
  readonly nextCursor: string | undefined;
  readonly problem: unknown;
  /** True if the service has no list of versions. */
  readonly isUnsupported: boolean;
  /** Version of the agent when the list was read. Some services list only older versions. */
  readonly latest: number | null | undefined;
}

/** Agents of one connection, and the versions of those that were expanded. */
export class AgentStore {
  readonly list = new PagedList<Agent>();
  private readonly versions = new Map<string, AgentVersions>();
  private readonly changed = new Emitter<void>();

  /** Fires when agents, versions or state change. */
  readonly onDidChange: Event<void> = this.changed.event;

  constructor() {
    this.list.onDidChange(() => {
      // Discards the versions of agents that have a newer version now.
      for (const { id, version } of this.list.items) {
        if (this.versions.get(id)?.latest !== version) {
          this.versions.delete(id);
        }
      }
      this.changed.fire();
    });
  }

  reset(connection: string | undefined): void {
    this.versions.clear();
    this.list.reset(connection);
  }

  versionsOf(agentId: string): AgentVersions | undefined {
    return this.versions.get(agentId);
  }

  /**
   * Returns whether the service has no list of versions of an agent. If unknown, the response about another agent counts, unless any
   * versions were listed.
   */
  lacksVersions(agentId: string): boolean {
    const known = [...this.versions.values()];
    const own = this.versions.get(agentId);
    return own?.isUnsupported ?? (known.some(({ isUnsupported }) => isUnsupported) && known.every(({ items }) => items.length === 0));
  }

  /** Records that the service has no list of versions of an agent. */
  acceptNoVersions(agentId: string): void {
    const latest = this.list.find(agentId)?.version;
    this.versions.set(agentId, { items: [], nextCursor: undefined, problem: undefined, isUnsupported: true, latest });
    this.changed.fire();
  }

  /** Reads the first or the next page of an agent's versions. An error is stored in their `problem`. */
  async readVersions(agentId: string, list: (options: ListOptions) => Promise<Page<Agent>>): Promise<void> {
    const known = this.versions.get(agentId);
    const scope = this.list.scope;
    const latest = known === undefined ? this.list.find(agentId)?.version : known.latest;
    try {
      const page = await list({ limit: versionsAtATime, cursor: known?.nextCursor });
      if (scope !== this.list.scope) {
        return;
      }
      const seen = new Set(known?.items.map(({ version }) => version));
      const fresh = page.items.filter(({ version }) => !seen.has(version));
      const isOver = fresh.length === 0 || page.nextCursor === known?.nextCursor;
      const nextCursor = isOver ? undefined : page.nextCursor;
      const problem = (isOver && page.nextCursor !== undefined) || page.isCut === true ? new ListCutError() : undefined;
      const items = [...(known?.items ?? []), ...fresh];
      this.versions.set(agentId, { items, nextCursor, problem, isUnsupported: false, latest: latest ?? items[0]?.version });
    } catch (problem) {
      if (scope === this.list.scope) {
        const items = known?.items ?? [];
        const isUnsupported = items.length === 0 && toListingState(problem) === 'unsupported';
        const nextCursor = known?.nextCursor;
        this.versions.set(agentId, { items, nextCursor, problem: isUnsupported ? undefined : problem, isUnsupported, latest });
      }
    }
    this.changed.fire();
  }
}

const versionsAtATime = 20;
