import type { Dialect } from '../client/dialect';
import { AgentState } from './agents/agentState';
import { DeploymentState } from './deployments/deploymentState';
import type { EmulatorClock } from './emulatorClock';
import { FileState } from './files/fileRecords';
import type { Route } from './http/matchRoute';
import { serverStyles } from './http/serverStyle';
import { agentRoutes } from './kinds/agents';
import { deploymentRoutes } from './kinds/deployments';
import { environmentRoutes } from './kinds/environments';
import { fileRoutes } from './kinds/files';
import { memoryStoreRoutes } from './kinds/memoryStores';
import { skillRoutes } from './kinds/skills';
import { vaultRoutes } from './kinds/vaults';
import { webhookRoutes } from './kinds/webhooks';
import { WorkState } from './kinds/work';
import { addMemorySamples } from './memories/memorySamples';
import { MemoryState } from './memories/memoryState';
import { sessionEventRoutes } from './routes/sessionEvents';
import { sessionRoutes } from './routes/sessions';
import { addSamples } from './samples';
import type { Scenario } from './scenarios';
import type { EventConnection } from './sessions/eventConnection';
import type { WireEvent } from './sessions/eventLog';
import type { UnstoredEvent } from './sessions/keptSession';
import type { SessionReferences } from './sessions/sessionResources';
import { SessionState } from './sessions/sessionState';
import { EnvironmentState } from './state/environmentState';
import { SkillState } from './state/skillState';
import type { StateFolder } from './state/stateFolder';
import { VaultState } from './vaults/vaultState';
import { happeningsOf } from './webhooks/happenings';
import { WebhookState } from './webhooks/webhookState';

interface ResourceParts {
  readonly folder: StateFolder;
  readonly clock: EmulatorClock;
  readonly dialect: Dialect;
  readonly scenario: () => Scenario;
}

/** What of the service is neither a batch nor a model: what each group holds, and the routes that lead to it. */
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
    /** The event streams that are open now. */
    readonly openStreams: ReadonlySet<EventConnection>,
    readonly routes: readonly Route[],
  ) {}

  /** Opens what an earlier run left in the folder, and adds samples to an empty one. */
  static async open({ folder, clock, dialect, scenario }: ResourceParts): Promise<Resources> {
    const kept = folder.isKept ? folder.path : undefined;
    const style = () => serverStyles[scenario().serverStyle];
    const strict = dialect.name === 'contract';
    const agents = await AgentState.open({ folder: kept, clock, vendorSkillType: dialect.vendorSkillType });
    const environments = await EnvironmentState.open({ folder: kept, clock });
    const files = await FileState.open({ folder: folder.path, keeps: folder.isKept, clock });
    const webhooks = await WebhookState.open({ folder: kept, clock });
    const vaults = await VaultState.open({ folder: kept, clock, tell: happening => webhooks.tell(happening) });
    const tell = (sessionId: string, event: WireEvent) => {
      for (const happening of happeningsOf(sessionId, event)) {
        webhooks.tell(happening);
      }
    };
    const memories = await MemoryState.open({ folder: kept, clock });
    const isNewer = dialect.name === 'anthropic-2026';
    const skills = await SkillState.open({ folder: folder.path, keeps: folder.isKept, clock, isNewer });
    const sessions = await SessionState.open({ folder: kept, clock, scenario, style, dialect: dialect.name, files, memories, tell });
    addSamples(agents, environments, dialect.modelPrefix);
    addMemorySamples(memories);
    const work = new WorkState(clock);
    const references: SessionReferences = {
      vault: (id, field) => vaults.demandUsable(id, field),
      memoryStore: (id, field) => memories.demandUsable(id, field),
    };
    const parts = { agents, environments, files, sessions, work, references, clock, dialect, style };
    const deployments = await DeploymentState.open({ ...parts, folder: kept, scenario, tell: happening => webhooks.tell(happening) });
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

  /** Stores events of a session's log, or of one of its threads, as they are. Throws the service's 404. */
  async appendEvents(sessionId: string, events: readonly UnstoredEvent[], threadId?: string): Promise<readonly WireEvent[]> {
    const session = await this.sessions.live(sessionId);
    return session.append(threadId ?? session.primary.id, events);
  }

  /** Cuts every open event stream in the middle. */
  cutStreams(): void {
    for (const stream of this.openStreams) {
      stream.cut();
    }
  }

  /** Stops what is under way and settles when everything is on disk. */
  async stop(): Promise<void> {
    await this.sessions.stop();
    const kept = [this.agents, this.environments, this.files, this.vaults, this.webhooks, this.memories, this.skills, this.deployments];
    await Promise.all(kept.map(state => state.flush()));
  }
}
