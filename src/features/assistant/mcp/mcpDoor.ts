import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { describeError } from '../../../common/text/describeError';
import type { AssistantServices } from '../assistantServices';
import { assistantTools } from '../tools';
import { McpServer } from './mcpServer';

const tokenSecret = 'managedAgents.mcp.token';
const portKey = 'managedAgents.mcp.port';

export interface McpDoorOptions {
  readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store'>;
  /** Of the workspace: what a program reaches through a port are the files of one workspace. */
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly services: AssistantServices;
  readonly version: string;
  readonly warn: (message: string) => void;
}

/** Where other programs of this machine come in, while it is open: at a port of this workspace, with a token of this machine. */
export class McpDoor implements vscode.Disposable {
  private server: McpServer | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly options: McpDoorOptions) {}

  /** Opens or closes; settles when that is done. */
  update(isOpen: boolean): Promise<void> {
    this.last = this.last.then(async () => {
      if (isOpen) {
        await this.open();
      } else {
        this.close();
      }
    });
    return this.last;
  }

  /** Puts what another program needs to come in onto the clipboard. The door has to be open. */
  async copyConfiguration(): Promise<void> {
    await this.last;
    const { server } = this;
    if (server === undefined) {
      throw new Error(vscode.l10n.t('The tools are not served: turn on "managedAgents.ai.mcp" in the settings.'));
    }
    await this.options.state.update(portKey, Number(new URL(server.url).port));
    const headers = { Authorization: `Bearer ${await this.token()}` };
    const configuration = { mcpServers: { 'managed-agents': { type: 'http', url: server.url, headers } } };
    await vscode.env.clipboard.writeText(`${JSON.stringify(configuration, undefined, 2)}\n`);
    const renew = vscode.l10n.t('New Token');
    const told = vscode.l10n.t('MCP configuration copied. Programs that have its token can use the tools in this window.');
    if ((await showInformation(told, renew)) === renew) {
      await this.renewToken();
      await this.copyConfiguration();
    }
  }

  dispose(): void {
    this.close();
    void this.update(false);
  }

  /** Programs with the token of before are refused from now on. */
  private async renewToken(): Promise<void> {
    await this.options.secrets.store(tokenSecret, newToken());
    await this.update(false);
    await this.update(true);
  }

  private async open(): Promise<void> {
    if (this.server !== undefined) {
      return;
    }
    try {
      const token = await this.token();
      const kept = this.options.state.get<number>(portKey) ?? 0;
      this.server = (await this.listen(token, kept)) ?? (await this.listen(token, 0));
    } catch (error) {
      this.options.warn(`The tools are not served to other programs: ${describeError(error)}`);
    }
  }

  /** Undefined where the port is taken: by another window of this workspace, or by another program. */
  private async listen(token: string, port: number): Promise<McpServer | undefined> {
    const { services, version } = this.options;
    const server = new McpServer({ tools: assistantTools, services, version, token, at: port });
    try {
      await server.start();
      return server;
    } catch (error) {
      server.stop();
      if (port === 0) {
        throw error;
      }
      return undefined;
    }
  }

  private close(): void {
    this.server?.stop();
    this.server = undefined;
  }

  private async token(): Promise<string> {
    const kept = await this.options.secrets.get(tokenSecret);
    if (kept !== undefined && kept !== '') {
      return kept;
    }
    const token = newToken();
    await this.options.secrets.store(tokenSecret, token);
    return token;
  }
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}
