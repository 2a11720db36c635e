import { type MessageConnection, ParameterStructures } from 'vscode-jsonrpc/node';
import type { acts } from './actorExtension';

type Acts = typeof acts;

/** Calls the extension that acts inside VS Code (`actorExtension`). If there are several extension hosts, calls the newest one. */
export class Actor {
  private host: MessageConnection | undefined;
  private onHost: (host: MessageConnection) => void = () => undefined;

  /** Called by the channel when an extension host has started. */
  welcome(host: MessageConnection): void {
    this.onHost(host);
  }

  /** Ends the connection to the extension host. Pending calls reject. */
  leave(): void {
    this.host?.dispose();
  }

  /**
   * Restarts the extension host. Pending calls of the earlier host reject. Resolves when the extension under test is active in the new
   * host.
   */
  async restart(start: () => Promise<unknown>): Promise<void> {
    this.leave();
    this.host = await this.nextHost(start);
    this.onHost = host => {
      this.host = host;
    };
    await this.do('activate');
  }

  /** Opens another window. Resolves when its extension host has started. Later calls don't use this host. */
  async openBeside(open: () => Promise<unknown>): Promise<void> {
    const { onHost } = this;
    await this.nextHost(open);
    this.onHost = onHost;
  }

  /** Runs an act inside VS Code. Rejects with its error. */
  async do<Name extends keyof Acts>(name: Name, ...args: Parameters<Acts[Name]>): Promise<Awaited<ReturnType<Acts[Name]>>> {
    if (this.host === undefined) {
      throw new Error('No extension host has started.');
    }
    const result: unknown = await this.host.sendRequest(name, ParameterStructures.byPosition, ...args);
    return (result ?? undefined) as Awaited<ReturnType<Acts[Name]>>;
  }

  private async nextHost(start: () => Promise<unknown>): Promise<MessageConnection> {
    const next = new Promise<MessageConnection>(resolve => {
      this.onHost = resolve;
    });
    await start();
    return await next;
  }
}
