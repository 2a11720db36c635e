import type { Event, SecretStorage } from 'vscode';
import type { Credential } from '../../client/clientOptions';
import { Emitter } from '../../common/emitter';
import { jsonOf } from '../../shared/jsonOf';

/** State of a connection's key: usable at its origin, missing, stored for another origin, or unknown because the secret storage failed. */
export type KeyStatus =
  | { readonly kind: 'usable'; readonly onlyThisWindow: boolean }
  | { readonly kind: 'missing' }
  | { readonly kind: 'otherOrigin'; readonly origin: string }
  | { readonly kind: 'unreadable' };

/** Thrown if the secret storage did not store a key, or returned another value. Never contains the key. */
export class KeyNotStoredError extends Error {
  override readonly name = 'KeyNotStoredError';
}

type Stored = Credential | 'missing' | 'unreadable';

const prefix = 'managedAgents.key.';

/**
 * API keys of the user, one per connection name, each bound to the origin it was entered for. Stored only in the secret storage of the
 * machine. If this storage fails, a key can be kept in memory for this window.
 */
export class KeyStore {
  private readonly known = new Map<string, Promise<Stored>>();
  private readonly versions = new Map<string, { readonly key: string | undefined; readonly version: number }>();
  private readonly ofThisWindow = new Map<string, Credential>();
  private readonly changed = new Emitter<string>();
  private readonly subscription: { dispose(): unknown };

  /** Fires with the connection's name when a key is stored or deleted, in this or another window. */
  readonly onDidChange: Event<string> = this.changed.event;

  /** `onKey` is called with each key that is loaded, saved or kept in memory. */
  constructor(
    private readonly secrets: Pick<SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>,
    private readonly onKey: (key: string) => void = () => undefined,
  ) {
    this.subscription = secrets.onDidChange(({ key }) => {
      if (key.startsWith(prefix)) {
        this.known.delete(key.slice(prefix.length));
        this.changed.fire(key.slice(prefix.length));
      }
    });
  }

  /** Returns the state of the key of connection `name` at `origin`. Never rejects. */
  async status(name: string, origin: string): Promise<KeyStatus> {
    const usable = await this.credential(name, origin);
    if (usable !== undefined) {
      return { kind: 'usable', onlyThisWindow: usable === this.ofThisWindow.get(name) };
    }
    const stored = await this.read(name);
    return typeof stored === 'string' ? { kind: stored } : { kind: 'otherOrigin', origin: stored.origin };
  }

  /** Returns the key of connection `name` if it was entered for `origin`. Never rejects. */
  async credential(name: string, origin: string): Promise<Credential | undefined> {
    const held = this.ofThisWindow.get(name);
    if (held?.origin === origin) {
      return held;
    }
    const stored = await this.read(name);
    return typeof stored !== 'string' && stored.origin === origin ? stored : undefined;
  }

  /** Returns a number that changes whenever the key of connection `name` at `origin` changes. Never rejects. */
  async version(name: string, origin: string): Promise<number> {
    const key = (await this.credential(name, origin))?.key;
    const known = this.versions.get(name);
    if (known !== undefined && known.key === key) {
      return known.version;
    }
    const version = (known?.version ?? 0) + 1;
    this.versions.set(name, { key, version });
    return version;
  }

  /** Stores a key and reads it back. Throws `KeyNotStoredError` if the key was not stored. A previous key may then be lost. */
  async save(name: string, credential: Credential): Promise<void> {
    this.onKey(credential.key);
    const value = JSON.stringify({ origin: credential.origin, key: credential.key });
    try {
      await this.secrets.store(prefix + name, value);
      if ((await this.secrets.get(prefix + name)) !== value) {
        throw new KeyNotStoredError('The secret storage did not return the stored value.');
      }
    } catch (error) {
      throw error instanceof KeyNotStoredError ? error : new KeyNotStoredError('The secret storage failed.', { cause: error });
    } finally {
      this.known.delete(name);
    }
    this.ofThisWindow.delete(name);
    this.changed.fire(name);
  }

  /** Keeps a key only in the memory of this window. */
  keepForThisWindow(name: string, credential: Credential): void {
    this.onKey(credential.key);
    this.ofThisWindow.set(name, credential);
    this.changed.fire(name);
  }

  async forget(name: string): Promise<void> {
    this.ofThisWindow.delete(name);
    this.known.delete(name);
    await this.secrets.delete(prefix + name);
    this.changed.fire(name);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
    this.known.clear();
    this.versions.clear();
    this.ofThisWindow.clear();
  }

  private read(name: string): Promise<Stored> {
    let reading = this.known.get(name);
    if (reading === undefined) {
      reading = this.load(name);
      this.known.set(name, reading);
    }
    return reading;
  }

  private async load(name: string): Promise<Stored> {
    try {
      const value = await this.secrets.get(prefix + name);
      const stored = value === undefined ? 'missing' : parseStored(value);
      if (typeof stored !== 'string') {
        this.onKey(stored.key);
      }
      return stored;
    } catch {
      // Not cached, because a locked storage may be unlocked by the next call.
      this.known.delete(name);
      return 'unreadable';
    }
  }
}

function parseStored(value: string): Stored {
  // The error of JSON.parse would quote its input, and the input is a secret here.
  const { origin, key } = (jsonOf(value) ?? {}) as Readonly<Record<string, unknown>>;
  return typeof origin === 'string' && typeof key === 'string' && key !== '' ? { origin, key } : 'unreadable';
}
