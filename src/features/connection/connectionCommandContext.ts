import type { NetworkOptions } from '../../client/clientOptions';
import type { Log } from '../../common/log';
import type { EmulatorHost } from '../emulator';
import type { Connections } from './connection';
import type { ConnectionStore } from './connectionStore';
import type { KeyStore } from './keyStore';

export interface ConnectionCommandContext {
  readonly store: ConnectionStore;
  readonly keys: KeyStore;
  readonly emulator: EmulatorHost;
  readonly network: () => Promise<NetworkOptions>;
  readonly client: Connections['client'];
  readonly log: Log;
  readonly userAgent: string;
}
