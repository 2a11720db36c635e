import type { Dialect } from '../client/dialect';
import { agentRoutes, Agents } from './agents/agents';
import { deploymentRoutes, Deployments } from './deployments/deployments';
import type { EmulatorClock } from './emulatorClock';
import { environmentRoutes, Environments } from './environments/environments';
import { WorkState, workRoutes } from './environments/work';
import { fileRoutes, Files } from './files/files';
import type { Route } from './http/matchRoute';
import { serverStyles } from './http/serverStyle';
import { addMemorySamples, MemoryStores, memoryStoreRoutes } from './memories/memories';
import { addSamples } from './samples';
import type { Scenario } from './scenarios';
import type { EventConnection } from './sessions/eventConnection';
import type { WireEvent } from './sessions/eventLog';
import { sessionEventRoutes } from './sessions/sessionEventRoutes';
import { sessionRoutes } from './sessions/sessionRoutes';
import { Sessions } from './sessions/sessions';
import type { UnstoredEvent } from './sessions/storedSession';
import { Skills, skillRoutes } from './skills/skills';
import type { StorePlace } from './state/recordStore';
import type { StateFolder } from './state/stateFolder';
import { Vaults, vaultRoutes } from './vaults/vaults';
import { type WebhookEvent, webhookEventsOf } from './webhooks/webhookEvents';
import { Webhooks, webhookRoutes } from './webhooks/webhooks';

interface ResourceParts {
  readonly folder: StateFolder;
  readonly clock: EmulatorClock;
  readonly dialect: Dialect;
  readonly scenario: () => Scenario;
}

/** Resource groups other than batches, messages and models: their stores and their routes. */
export class Resources {
  readonly openStreams: ReadonlySet<EventConnection>;
  readonly routes: readonly Route[];

  private constructor(
    readonly sessions: Sessions,
    readonly webhooks: Webhooks,
    private readonly stores: StorePlace['stores'],
    openStreams: Set<EventConnection>,
    routes: readonly Route[],
  ) {
    this.openStreams = openStreams;
    this.routes = routes;
  }

  /** Opens the state of an earlier run in the folder, and adds samples to an empty one. */
  static async open({ folder, clock, dialect, scenario }: ResourceParts): Promise<Resources> {
    const place: StorePlace = { folder: folder.path, isPersistent: folder.isPersistent, clock, stores: [] };
    const style = () => serverStyles[scenario().serverStyle];
    const agents = await new Agents(place, dialect.vendorSkillType).load();
    const environments = await new Environments(place).load();
    const files = await new Files(place).load();
    const webhooks = await new Webhooks(place).load();
    const tell = (event: WebhookEvent) => webhooks.tell(event);
    const vaults = await new Vaults(place, tell).load();
    const memories = await new MemoryStores(place).load();
    const skills = await new Skills(place, dialect.name === 'anthropic-2026').load();
    const tellOf = (sessionId: string, event: WireEvent) => webhookEventsOf(sessionId, event).forEach(tell);
    const sessions = await new Sessions(place, { scenario, style, dialect: dialect.name, files, memories, tell: tellOf }).load();
    addSamples(agents, environments, dialect.modelPrefix);
    addMemorySamples(memories);
    const work = new WorkState(clock);
    const parts = { agents, environments, files, memories, vaults, sessions, work, clock, dialect, style };
    const deployments = await new Deployments(place, { ...parts, scenario, tell }).load();
    const isUsed = (id: string) => sessions.list().some(({ environmentId, archivedAt }) => environmentId === id && archivedAt === null);
    const openStreams = new Set<EventConnection>();
    return new Resources(sessions, webhooks, place.stores, openStreams, [
      ...agentRoutes(agents, style),
      ...environmentRoutes(environments, isUsed),
      ...workRoutes(environments, work),
      ...fileRoutes(files, () => scenario().envelope ?? (dialect.name === 'anthropic-2023' ? 'ids' : 'page')),
      ...vaultRoutes(vaults),
      ...webhookRoutes(webhooks),
      ...deploymentRoutes(deployments),
      ...memoryStoreRoutes(memories),
      ...skillRoutes(skills),
      ...sessionRoutes(parts),
      ...sessionEventRoutes({ ...parts, scenario, openStreams }),
    ]);
  }

  /** Stores events unchanged on the log of a session or of one of its threads. Throws the service's 404. */
  async appendEvents(sessionId: string, events: readonly UnstoredEvent[], threadId?: string): Promise<readonly WireEvent[]> {
    const session = await this.sessions.live(sessionId);
    return session.append(threadId ?? session.primary.id, events);
  }

  /** Closes every open event stream in the middle. */
  cutStreams(): void {
    for (const stream of this.openStreams) {
      stream.cut();
    }
  }

  /** Stops running work. Resolves when everything is on disk. */
  async stop(): Promise<void> {
    this.sessions.stop();
    await Promise.all(this.stores.map(store => store.flush()));
  }
}
