import type { ServiceClientOptions } from './clientOptions';
import { createAgents } from './resources/agents';
import { createDeployments } from './resources/deployments';
import { createEnvironments } from './resources/environments';
import { createFiles } from './resources/files';
import { createMemoryStores } from './resources/memoryStores';
import { createMessageBatches } from './resources/messageBatches';
import { createMessages } from './resources/messages';
import { createModels } from './resources/models';
import { createSessions } from './resources/sessions';
import { createSkills } from './resources/skills';
import { createVaults } from './resources/vaults';
import { createWebhooks } from './resources/webhooks';
import { Transport } from './transport/transport';

/**
 * Creates the client of one service. Throws a `ServiceError` of kind `invalid_request` if the base URL is invalid. Load this module with
 * `await import`, because it loads undici and zod.
 */
export function createServiceClient(options: ServiceClientOptions) {
  const transport = new Transport(options);
  return {
    baseUrl: transport.baseUrl,
    batches: createMessageBatches(transport),
    models: createModels(transport),
    messages: createMessages(transport),
    sessions: createSessions(transport),
    agents: createAgents(transport),
    environments: createEnvironments(transport),
    deployments: createDeployments(transport),
    files: createFiles(transport),
    vaults: createVaults(transport),
    webhooks: createWebhooks(transport),
    memoryStores: createMemoryStores(transport),
    skills: createSkills(transport),
    /** Waits for running calls and closes each connection afterwards. Used for a client whose settings are outdated. */
    retire: () => transport.retire(),
    close: () => transport.close(),
  };
}

/** The service over HTTP. `close` closes all its connections. A closed client must not be used. */
export type ServiceClient = Readonly<ReturnType<typeof createServiceClient>>;
