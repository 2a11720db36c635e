import { type Connection, type Connections, mayUse, type Reached, reach, refuseUntrusted, type Use } from '../connection';
import type { EmulatorHost } from '../emulator';

/** Access to services (`reach` of the connection feature). */
export class Service {
  constructor(
    readonly connections: Connections,
    private readonly emulator: Pick<EmulatorHost, 'running'>,
  ) {}

  /** Throws an `UntrustedError` with a message for the user if the use is not allowed now. Called before the user is asked anything. */
  demand(use: Use): void {
    refuseUntrusted(use);
  }

  /**
   * Returns a connection and its client. Throws an error with a message for the user if the connection is gone or the request is not
   * allowed. Background requests don't start an emulator.
   */
  reach(name: string, use: Use): Promise<Reached> {
    return reach(this.connections, name, use);
  }

  /** Connection of this window. `undefined` if background requests must not be sent to it now. */
  get lookedAt(): Connection | undefined {
    const { current, state } = this.connections;
    const isReachable = current?.isEmulator === false || this.emulator.running !== undefined;
    return state === 'ready' && mayUse('look') && isReachable ? current : undefined;
  }
}
