import type { Memento } from 'vscode';
import { ownValue } from '../../shared/isRecord';
import type { Connection } from './connection';

const memoryKey = 'userProfiles';

type Profiles = Readonly<Record<string, string>>;

/** User profiles for batches. Stored on this machine per connection and address. */
export class UserProfiles {
  constructor(private readonly memento: Pick<Memento, 'get' | 'update'>) {}

  of(connection: Connection): string | undefined {
    return ownValue(this.profiles, keyOf(connection));
  }

  async set(connection: Connection, id: string | undefined): Promise<void> {
    const { [keyOf(connection)]: _, ...others } = this.profiles;
    await this.memento.update(memoryKey, id === undefined ? others : { ...others, [keyOf(connection)]: id });
  }

  private get profiles(): Profiles {
    return this.memento.get<Profiles>(memoryKey) ?? {};
  }
}

/**
 * Returns the storage key of a connection's profile. The key for the emulator contains no address, because the port changes at every start.
 */
function keyOf({ name, baseUrl, isEmulator }: Connection): string {
  return isEmulator ? name : `${name}\n${baseUrl}`;
}
