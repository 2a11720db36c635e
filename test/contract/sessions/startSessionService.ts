import { dialects } from '../../../src/client/dialect';
import type { SessionEvent } from '../../../src/client/events/eventLog';
import { createServiceClient, type ServiceClient } from '../../../src/client/serviceClient';
import type { ServerStyleName } from '../../../src/emulator/http/serverStyle';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { type NewestEvents, readNewestEvents, reportsState } from '../../../src/features/sessions/facts/newestEvents';

const key = 'local-test-key-0004';

export interface SessionService {
  readonly emulator: Emulator;
  readonly client: ServiceClient;
  /** Parameters of a session: the first agent and the first environment. */
  readonly start: { readonly agent: string; readonly environment_id: string };
}

/** Starts an emulator whose agents act immediately, in the style of one service, with a client. The caller ends both. */
export async function startSessionService(serverStyle?: ServerStyleName): Promise<SessionService> {
  const emulator = await startEmulator({ key, scenario: { sessionPause: 0, ...(serverStyle !== undefined && { serverStyle }) } });
  const client = createServiceClient({
    baseUrl: emulator.url,
    auth: 'x-api-key',
    dialect: dialects.contract,
    credential: async () => ({ key, origin: new URL(emulator.url).origin }),
  });
  const [agent] = (await client.agents.list()).items;
  const [environment] = (await client.environments.list()).items;
  return { emulator, client, start: { agent: agent?.id ?? '', environment_id: environment?.id ?? '' } };
}

/** Reads the newest events of a session, back to its last status event. */
export async function newestOf(client: ServiceClient, sessionId: string): Promise<NewestEvents> {
  const reach = { isEnough: (events: readonly SessionEvent[]) => events.some(reportsState), maxPages: 4 };
  const newest = await readNewestEvents(client.sessions.events(sessionId), new AbortController().signal, reach);
  return newest ?? { events: [], isWhole: true };
}
