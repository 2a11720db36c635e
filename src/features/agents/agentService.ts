import * as vscode from 'vscode';
import type { Agent } from '../../client/schemas/agents';
import type { AgentReference } from '../../contributions';
import { Service } from '../resources/documents';

/** Reads agents of any connection for documents and commands. Versions never change, so each is read only once. */
export class AgentService extends Service {
  private readonly versions = new Map<string, Promise<Agent>>();

  /** Reads the latest version. `byItself`: a background request, which is never sent from an untrusted workspace and starts no emulator. */
  async latest({ connection, agentId }: AgentReference, byItself = false): Promise<Agent> {
    const { client } = await this.reach(connection, byItself ? 'nobody' : 'user');
    return (await client.agents.retrieve(agentId)).data;
  }

  /** Reads one version. */
  version(connection: string, agentId: string, version: number, byItself = false): Promise<Agent> {
    const key = JSON.stringify([connection, this.connections.find(connection)?.baseUrl, agentId, version]);
    const known = this.versions.get(key);
    if (known !== undefined) {
      return known;
    }
    const asked = (async () => {
      const { client } = await this.reach(connection, byItself ? 'nobody' : 'user');
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
}
