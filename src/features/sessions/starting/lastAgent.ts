import type { Memento } from 'vscode';
import type { Agent } from '../../../client/schemas/agents';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { ChosenAgent } from './agentPicker';

const key = 'managedAgents.lastAgents';

/** Returns the agent of the last start on a connection, or the only agent of the service. `undefined` if the user has to choose. */
export async function lastAgent(
  client: Pick<ServiceClient, 'agents'>,
  memento: Pick<Memento, 'get'>,
  connection: string,
): Promise<ChosenAgent | undefined> {
  const id = memento.get<Readonly<Record<string, string>>>(key)?.[connection];
  try {
    const agents = id === undefined ? (await client.agents.list({ limit: 2 })).items : [(await client.agents.retrieve(id)).data];
    const [agent, ...others] = agents;
    return agent === undefined || others.length > 0 || agent.archived_at ? undefined : toChosenAgent(agent);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not_found') {
      return undefined;
    }
    throw error;
  }
}

/** Saves the agent of a start as the default of the next one on this connection. */
export async function writeLastAgent(memento: Pick<Memento, 'get' | 'update'>, connection: string, id: string): Promise<void> {
  await memento.update(key, { ...memento.get<object>(key), [connection]: id });
}

/** Returns an agent as chosen in its latest version, or in the given one. */
export function toChosenAgent({ id, name, version: latest }: Agent, version?: number): ChosenAgent {
  return { id, name: name?.trim() || id, version, latest: version === undefined ? (latest ?? undefined) : undefined };
}
