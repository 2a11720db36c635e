import { type Connection, type Connections, mayUse, type Reached, reach, type Use } from '../connection';
import type { EmulatorHost } from '../emulator';

/** Access to services (`reach` of the connection feature). */
export class Service {
  constructor(
    readonly connections: Connections,
    private readonly emulator: Pick<EmulatorHost, 'running'>,
  ) {}

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
