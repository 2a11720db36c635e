import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Offer, offer, showInformation } from '../../../common/asking/notifications';
import { describeError } from '../../../common/text/describeError';
import { McpServer, type McpServerOptions } from './mcpServer';

interface McpDoorOptions extends McpServerOptions {
  /** Folder of this workspace with the bridge and the address file. */
  readonly folder: string;
  readonly bridge: string;
  readonly warn: (message: string) => void;
}

/**
 * Serves the tools to other programs on this machine while it is open. The programs start the bridge, which reads the socket's address from
 * a file that only this user can read. A configuration therefore contains no secret, and stays valid when the socket and its token change.
 * Only programs that can't start the bridge need a port.
 */
export class McpDoor implements vscode.Disposable {
  private socket: McpServer | undefined;
  private port: McpServer | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly options: McpDoorOptions) {}

  /** Opens or closes the server. Resolves when the server is open or closed. */
  update(isOpen: boolean): Promise<void> {
    this.last = this.last.then(() => (isOpen ? this.open() : this.close()));
    return this.last;
  }

  /** Copies the configuration for another program to the clipboard. Throws an error for the user if the tools are not served. */
  async copyConfiguration(): Promise<void> {
    await this.last;
    if (this.socket === undefined) {
      throw new Error(vscode.l10n.t('Turn on "managedAgents.ai.mcp" in the settings.'));
    }
    // Runs the bridge with the editor's Node, because the machine's Node may be missing or too old.
    const env = { ELECTRON_RUN_AS_NODE: '1' };
    await copy({ type: 'stdio', command: process.execPath, args: [this.bridge], env });
    await showCopied([vscode.l10n.t('Use HTTP Instead'), () => this.copyPort()]);
  }

  dispose(): void {
    this.close();
    void this.update(false);
  }

  private get bridge(): string {
    return path.join(this.options.folder, 'mcpBridge.mjs');
  }

  private get address(): string {
    return path.join(this.options.folder, 'address.json');
  }

  /** Opens a new port with a new token, and closes the previous one. */
  private async copyPort(): Promise<void> {
    this.port?.dispose();
    this.port = new McpServer(this.options, 'port');
    const { port } = this;
    await port.started;
    const description = vscode.l10n.t('Other users of this machine can reach the port. It works until this window closes.');
    await copy({ type: 'http', description, url: port.url, headers: { Authorization: `Bearer ${port.token}` } });
    await showCopied();
  }

  private async open(): Promise<void> {
    if (this.socket !== undefined) {
      return;
    }
    try {
      this.socket = new McpServer(this.options, 'socket');
      await this.socket.started;
      this.writeAddress(this.socket);
    } catch (error) {
      this.close();
      this.options.warn(`Could not start the MCP server: ${describeError(error)}`);
    }
  }

  private writeAddress({ path: socketPath, token }: McpServer): void {
    const { folder, bridge } = this.options;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    copyFileSync(bridge, this.bridge);
    const partial = `${this.address}.${process.pid}`;
    rmSync(partial, { force: true });
    writeFileSync(partial, JSON.stringify({ path: socketPath, token }), { mode: 0o600, flag: 'wx' });
    renameSync(partial, this.address);
  }

  private close(): void {
    this.port?.dispose();
    this.port = undefined;
    if (this.socket !== undefined) {
      this.removeAddress(this.socket);
      this.socket.dispose();
      this.socket = undefined;
    }
  }

  /** Deletes the address file, unless another window of this workspace has overwritten it. */
  private removeAddress({ token }: McpServer): void {
    try {
      if (readFileSync(this.address, 'utf8').includes(token)) {
        rmSync(this.address);
      }
    } catch {
      // The file does not exist.
    }
  }
}

/** User settings files of common MCP clients. */
const userFiles = ['~/.cursor/mcp.json', '~/.claude.json'] as const;

function showCopied(...offers: readonly Offer[]): Promise<void> {
  return offer(
    showInformation,
    vscode.l10n.t('MCP configuration copied. Paste it into your user settings ({0} or {1}), not into a workspace.', ...userFiles),
    ...offers,
  );
}

async function copy(server: object): Promise<void> {
  await vscode.env.clipboard.writeText(`${JSON.stringify({ mcpServers: { 'managed-agents': server } }, undefined, 2)}\n`);
}
