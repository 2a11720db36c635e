import type { Dialect } from '../client/dialect';
import type { CreateAgentParams } from './agents/agentParams';
import { Agents, agentRoutes } from './agents/agents';
import { Batches, batchRoutes } from './batches/batches';
import { Deployments, deploymentRoutes } from './deployments/deployments';
import { Environments, environmentRoutes, WorkItems, workRoutes } from './environments/environments';
import { Files, fileRoutes } from './files/files';
import type { Route } from './http/kindRoutes';
import type { Envelope } from './http/listQuery';
import { serverStyles } from './http/serverStyle';
import type { WireObject } from './http/toWire';
import { addMemorySamples, MemoryStores, memoryStoreRoutes } from './memories/memories';
import { messageRoutes } from './messages/messageRoutes';
import { MessageService } from './messages/messageService';
import { ModelCatalog, modelRoutes } from './models/modelCatalog';
import type { Scenario } from './scenarios';
import type { EventConnection } from './sessions/eventConnection';
import type { WireEvent } from './sessions/eventLog';
import { sessionRoutes } from './sessions/sessionRoutes';
import { Sessions } from './sessions/sessions';
import { Skills, skillRoutes } from './skills/skills';
import type { StoreContext } from './state/recordStore';
import { Vaults, vaultRoutes } from './vaults/vaults';
import { type WebhookEvent, Webhooks, webhookEventsOf, webhookRoutes } from './webhooks/webhooks';

interface ResourceParts {
  readonly context: StoreContext;
  readonly dialect: Dialect;
  readonly scenario: () => Scenario;
  readonly key: string;
  readonly url: string;
}

/** All resource groups: their stores and their routes. */
export class Resources {
  private constructor(
    private readonly batches: Batches,
    readonly sessions: Sessions,
    readonly webhooks: Webhooks,
    readonly openStreams: ReadonlySet<EventConnection>,
    readonly routes: readonly Route[],
  ) {}

  /** Opens the state of an earlier run, and adds samples to an empty state. */
  static async open({ context, dialect, scenario, key, url }: ResourceParts): Promise<Resources> {
    const { clock } = context;
    const isContract = dialect.name === 'contract';
    const models = new ModelCatalog(dialect.modelPrefix);
    const messages = new MessageService({ models, isContract, key, now: () => clock.now() });
    const batches = await new Batches(context, { messages, scenario }).load();
    const style = () => serverStyles[scenario().serverStyle];
    const agents = await new Agents(context, dialect.vendorSkillType).load();
    const environments = await new Environments(context).load();
    const files = await new Files(context).load();
    const webhooks = await new Webhooks(context).load();
    const notify = (event: WebhookEvent) => webhooks.notify(event);
    const vaults = await new Vaults(context, notify).load();
    const memories = await new MemoryStores(context).load();
    const skills = await new Skills(context, dialect.name === 'anthropic-2026').load();
    const notifyOf = (sessionId: string, event: WireEvent) => webhookEventsOf(sessionId, event).forEach(notify);
    const sessions = await new Sessions(context, { scenario, style, dialect: dialect.name, files, memories, notify: notifyOf }).load();
    addSamples(agents, environments, dialect.modelPrefix);
    addMemorySamples(memories);
    const work = await new WorkItems(context, environments).load();
    const parts = { agents, environments, files, memories, vaults, sessions, work, clock, dialect, style };
    const deployments = await new Deployments(context, { ...parts, scenario, notify }).load();
    const isUsed = (id: string) => sessions.list().some(({ environmentId, archivedAt }) => environmentId === id && archivedAt === null);
    const openStreams = new Set<EventConnection>();
    const envelope = (): Envelope => scenario().envelope ?? (isContract ? 'page' : 'ids');
    // The contract shows a path. The recorded services return a complete URL.
    const resultsUrl = (id: string) => `${isContract ? '' : url}/v1/messages/batches/${id}/results`;
    const routes = [
      ...batchRoutes({ dialect, batches, envelope, resultsUrl }),
      ...modelRoutes(models, envelope),
      ...messageRoutes({ messages, scenario, dialect }),
      ...agentRoutes(agents, style),
      ...environmentRoutes(environments, isUsed),
      ...workRoutes(environments, work),
      ...fileRoutes(files, () => scenario().envelope ?? (dialect.name === 'anthropic-2023' ? 'ids' : 'page')),
      ...vaultRoutes(vaults),
      ...webhookRoutes(webhooks),
      ...deploymentRoutes(deployments),
      ...memoryStoreRoutes(memories),
      ...skillRoutes(skills),
      ...sessionRoutes({ ...parts, scenario, openStreams }),
    ];
    return new Resources(batches, sessions, webhooks, openStreams, routes);
  }

  /**
   * Stores events unchanged on the log of a session or of one of its threads. Adds `id` and `processed_at` to events that lack them.
   * Returns the stored events. Throws the service's 404.
   */
  async appendEvents(sessionId: string, events: readonly WireObject[], threadId?: string): Promise<readonly WireEvent[]> {
    const session = await this.sessions.live(sessionId);
    return session.append(threadId ?? session.primary.id, events);
  }

  cutStreams(): void {
    for (const stream of this.openStreams) {
      stream.cut();
    }
  }

  /** Interrupts running batches and webhook deliveries, and starts no new deliveries. Called before the clock stops. */
  abort(): void {
    this.batches.stop();
    this.webhooks.end();
  }

  stop(): void {
    this.sessions.stop();
  }
}

type Sample = Omit<CreateAgentParams, 'model'>;

const shopkeeper: Sample = {
  name: 'Shopkeeper',
  description: 'Asks you for prices: a custom tool that you answer.',
  system: 'You keep a shop. Look up every price with get_price.',
  tools: [
    {
      type: 'custom',
      name: 'get_price',
      description: 'The price of an item, in euros.',
      input_schema: { type: 'object', properties: { item: { type: 'string', description: 'What to look up' } }, required: ['item'] },
    },
  ],
  metadata: { emulator_script: 'price' },
};

const coordinator: Sample = {
  name: 'Coordinator',
  description: 'Plans the work.',
  system: 'You plan.',
  tools: [{ type: 'agent_toolset_20260401' }],
};

const careful: Sample = {
  name: 'Careful Operator',
  description: 'Asks before it runs anything.',
  system: 'You operate machines, carefully.',
  tools: [{ type: 'agent_toolset_20260401', default_config: { permission_policy: { type: 'always_ask' } } }],
  metadata: { emulator_script: 'bash' },
};

const researcher: Sample = {
  name: 'Researcher',
  description: 'Reads, thinks and answers in steps.',
  system: 'You research thoroughly and answer in Markdown.',
  tools: [
    { type: 'agent_toolset_20260401' },
    { type: 'mcp_toolset', mcp_server_name: 'issues', default_config: { permission_policy: { type: 'always_allow' } } },
  ],
  mcp_servers: [{ type: 'url', name: 'issues', url: 'https://mcp.example.com/issues' }],
};

/**
 * Adds sample agents and an environment if there are none, so that a first session can be started immediately. The coordinator agent has
 * two versions, so that they can be compared.
 */
function addSamples(agents: Agents, environments: Environments, modelPrefix: string): void {
  if (environments.isEmpty) {
    environments.create({ name: 'Default', description: 'Made by the emulator. Nothing runs in it.' });
  }
  if (!agents.isEmpty) {
    return;
  }
  const make = (sample: Sample) => agents.create({ model: `${modelPrefix}sonnet-5`, ...sample });
  make(shopkeeper);
  const { id } = make(coordinator);
  const roster = [make(careful), make(researcher)].reverse().map(agent => agent.id);
  const delegating = {
    description: 'Hands work to the Researcher and the Careful Operator.',
    system: 'You plan and delegate.',
    multiagent: { type: 'coordinator' as const, agents: roster },
    metadata: { emulator_script: 'delegate' },
  };
  agents.update(id, 1, delegating, 'conflict_error');
}
