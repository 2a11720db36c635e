import type { Dialect } from '../client/dialect';
import { agentRoutes } from './agents/agentRoutes';
import { AgentState } from './agents/agentState';
import { deploymentRoutes } from './deployments/deploymentRoutes';
import { DeploymentState } from './deployments/deploymentState';
import type { EmulatorClock } from './emulatorClock';
import { environmentRoutes } from './environments/environmentRoutes';
import { EnvironmentState } from './environments/environmentState';
import { WorkState } from './environments/work';
import { FileState } from './files/fileRecords';
import { fileRoutes } from './files/fileRoutes';
import type { Route } from './http/matchRoute';
import { serverStyles } from './http/serverStyle';
import { addMemorySamples } from './memories/memorySamples';
import { MemoryState } from './memories/memoryState';
import { memoryStoreRoutes } from './memories/memoryStoreRoutes';
import { addSamples } from './samples';
import type { Scenario } from './scenarios';
import type { EventConnection } from './sessions/eventConnection';
import type { WireEvent } from './sessions/eventLog';
import type { UnstoredEvent } from './sessions/storedSession';
import { sessionEventRoutes } from './sessions/sessionEventRoutes';
import type { SessionReferences } from './sessions/sessionResources';
import { sessionRoutes } from './sessions/sessionRoutes';
import { SessionState } from './sessions/sessionState';
import { skillRoutes } from './skills/skillRoutes';
import { SkillState } from './skills/skillState';
import type { StateFolder } from './state/stateFolder';
import { vaultRoutes } from './vaults/vaultRoutes';
import { VaultState } from './vaults/vaultState';
import { webhookEventsOf } from './webhooks/webhookEvents';
import { webhookRoutes } from './webhooks/webhookRoutes';
import { WebhookState } from './webhooks/webhookState';

interface ResourceParts {
  readonly folder: StateFolder;
  readonly clock: EmulatorClock;
  readonly dialect: Dialect;
  readonly scenario: () => Scenario;
}

/** Resource groups other than batches and models: their state and their routes. */
export class Resources {
  private constructor(
    readonly agents: AgentState,
    readonly environments: EnvironmentState,
    readonly files: FileState,
    readonly memories: MemoryState,
    readonly skills: SkillState,
    readonly deployments: DeploymentState,
    readonly sessions: SessionState,
    readonly vaults: VaultState,
    readonly webhooks: WebhookState,
    readonly openStreams: ReadonlySet<EventConnection>,
    readonly routes: readonly Route[],
  ) {}

  /** Opens the state of an earlier run in the folder, and adds samples to an empty one. */
  static async open({ folder, clock, dialect, scenario }: ResourceParts): Promise<Resources> {
    const kept = folder.isPersistent ? folder.path : undefined;
    const style = () => serverStyles[scenario().serverStyle];
    const strict = dialect.name === 'contract';
    const agents = await AgentState.open({ folder: kept, clock, vendorSkillType: dialect.vendorSkillType });
    const environments = await EnvironmentState.open({ folder: kept, clock });
    const files = await FileState.open({ folder: folder.path, keeps: folder.isPersistent, clock });
    const webhooks = await WebhookState.open({ folder: kept, clock });
    const vaults = await VaultState.open({ folder: kept, clock, tell: webhookEvent => webhooks.tell(webhookEvent) });
    const tell = (sessionId: string, event: WireEvent) => {
      for (const webhookEvent of webhookEventsOf(sessionId, event)) {
        webhooks.tell(webhookEvent);
      }
    };
    const memories = await MemoryState.open({ folder: kept, clock });
    const isNewer = dialect.name === 'anthropic-2026';
    const skills = await SkillState.open({ folder: folder.path, keeps: folder.isPersistent, clock, isNewer });
    const sessions = await SessionState.open({ folder: kept, clock, scenario, style, dialect: dialect.name, files, memories, tell });
    addSamples(agents, environments, dialect.modelPrefix);
    addMemorySamples(memories);
    const work = new WorkState(clock);
    const references: SessionReferences = {
      vault: (id, field) => vaults.demandUsable(id, field),
      memoryStore: (id, field) => memories.demandUsable(id, field),
    };
    const parts = { agents, environments, files, sessions, work, references, clock, dialect, style };
    const deployments = await DeploymentState.open({ ...parts, folder: kept, scenario, tell: webhookEvent => webhooks.tell(webhookEvent) });
    const isUsed = (id: string) => sessions.list().some(({ environmentId, archivedAt }) => environmentId === id && archivedAt === null);
    const openStreams = new Set<EventConnection>();
    return new Resources(agents, environments, files, memories, skills, deployments, sessions, vaults, webhooks, openStreams, [
      ...agentRoutes(agents, style, strict),
      ...environmentRoutes({ environments, work, isUsed, strict }),
      ...fileRoutes(files, () => scenario().envelope ?? (dialect.name === 'anthropic-2023' ? 'ids' : 'page'), strict),
      ...vaultRoutes(vaults, strict),
      ...webhookRoutes(webhooks, strict),
      ...deploymentRoutes(deployments, strict),
      ...memoryStoreRoutes(memories, strict),
      ...skillRoutes(skills, { strict, isNewer }),
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
    await this.sessions.stop();
    const kept = [this.agents, this.environments, this.files, this.vaults, this.webhooks, this.memories, this.skills, this.deployments];
    await Promise.all(kept.map(state => state.flush()));
  }
}
