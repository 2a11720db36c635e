import type { Memento } from 'vscode';

/** Connection that a consent applies to. Another address needs another consent. */
export interface ConsentedConnection {
  readonly name: string;
  readonly baseUrl: string;
  readonly isEmulator: boolean;
}

/** Kinds of consent, with their keys in the extension's state on this machine. */
export const consentKeys = {
  /** Language models may read contents from the connection. */
  read: 'managedAgents.modelsMayRead',
  /** Chats and other extensions may use the connection's models, which costs money. */
  chat: 'managedAgents.modelsMayCost',
} as const;

/** Connections with one kind of consent, stored on this machine. Another address needs another consent. */
export class Consents {
  /** Connections declined in this window, so that the user isn't asked about these connections again. */
  private readonly declined = new Set<string>();
  private readonly asked = new Map<string, Promise<boolean>>();

  constructor(
    private readonly memory: Pick<Memento, 'get' | 'update'>,
    private readonly key: string,
    private readonly ask: (connection: ConsentedConnection, program?: string) => Promise<boolean>,
  ) {}

  has(connection: ConsentedConnection): boolean {
    return this.stored().includes(keyOf(connection));
  }

  /**
   * Returns whether the user consents. Asks the user if no answer is stored, once for all concurrent callers. The question names `program`
   * if another program needs the consent.
   */
  async demand(connection: ConsentedConnection, program?: string): Promise<boolean> {
    const key = keyOf(connection);
    if (this.has(connection) || this.declined.has(key)) {
      return this.has(connection);
    }
    const asking = this.asked.get(key) ?? this.question(connection, program).finally(() => this.asked.delete(key));
    this.asked.set(key, asking);
    return await asking;
  }

  /** Replaces all stored consents. Asks again about connections that were declined in this window. */
  async set(allowed: readonly ConsentedConnection[]): Promise<void> {
    this.declined.clear();
    await this.memory.update(this.key, allowed.length === 0 ? undefined : allowed.map(keyOf));
  }

  private async question(connection: ConsentedConnection, program: string | undefined): Promise<boolean> {
    const key = keyOf(connection);
    const isAllowed = await this.ask(connection, program);
    if (isAllowed) {
      await this.memory.update(this.key, [...this.stored(), key]);
    } else {
      this.declined.add(key);
    }
    return isAllowed;
  }

  private stored(): readonly string[] {
    const stored = this.memory.get<unknown>(this.key);
    return Array.isArray(stored) ? stored.filter(one => typeof one === 'string') : [];
  }
}

/** Returns the key of a connection. Leaves out the emulator's address, which changes with every start. */
function keyOf({ name, baseUrl, isEmulator }: ConsentedConnection): string {
  return JSON.stringify([name, isEmulator ? 'emulator' : URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl]);
}
