import * as vscode from 'vscode';
import type { Agent } from '../../client/schemas/agents';
import type { ServiceClient } from '../../client/serviceClient';
import type { AgentReference } from '../../contributions';
import { type Connection, type Connections, refuseUntrusted, type Use } from '../connection';
import type { EmulatorHost } from '../emulator';

/** Agents of any connection, for documents and commands. Versions never change and are asked for once. */
export class AgentService {
  private readonly versions = new Map<string, Promise<Agent>>();

  constructor(
    private readonly connections: Connections,
    private readonly emulator: Pick<EmulatorHost, 'running'>,
  ) {}

  /** The connection of an agent and its client, for an act of the user. Throws when the connection is gone. */
  async reach(name: string, use: Use = 'read'): Promise<{ readonly connection: Connection; readonly client: ServiceClient }> {
    await this.connections.whenKnown;
    const connection = this.connections.find(name);
    if (connection === undefined) {
      throw new Error(vscode.l10n.t('The connection {0} of this agent no longer exists. Add it again to reach the agent.', name));
    }
    return { connection, client: await this.connections.client(connection, use) };
  }

  /** As `reach`, for what changes something on the service: never from a workspace that is not trusted. */
  reachToChange(name: string): ReturnType<AgentService['reach']> {
    refuseUntrusted('change');
    return this.reach(name, 'change');
  }

  /** The latest version. `byItself`: nobody asked for it now, so that nothing is sent from an untrusted workspace and no emulator started. */
  async latest({ connection, agentId }: AgentReference, byItself = false): Promise<Agent> {
    if (byItself) {
      await this.checkQuiet(connection);
    }
    const { client } = await this.reach(connection);
    return (await client.agents.retrieve(agentId)).data;
  }

  /** One version. */
  version(connection: string, agentId: string, version: number, byItself = false): Promise<Agent> {
    const key = JSON.stringify([connection, this.connections.find(connection)?.baseUrl, agentId, version]);
    const known = this.versions.get(key);
    if (known !== undefined) {
      return known;
    }
    const asked = (async () => {
      if (byItself) {
        await this.checkQuiet(connection);
      }
      const { client } = await this.reach(connection);
      const { data } = await client.agents.retrieve(agentId, { version });
      if (typeof data.version === 'number' && data.version !== version) {
        throw new Error(vscode.l10n.t('The service gave version {0} of this agent instead of version {1}.', data.version, version));
      }
      return data;
    })();
    this.versions.set(key, asked);
    asked.catch(() => this.versions.delete(key));
    return asked;
  }

  private async checkQuiet(name: string): Promise<void> {
    refuseUntrusted('look');
    await this.connections.whenKnown;
    if (this.connections.find(name)?.isEmulator && this.emulator.running === undefined) {
      throw new Error(vscode.l10n.t('The emulator is stopped. Start it and open the agent again.'));
    }
  }
}
