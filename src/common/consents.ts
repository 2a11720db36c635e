import type { Memento } from 'vscode';

/** What of a connection an agreement is about: another address is another agreement. */
export interface ConsentedConnection {
  readonly name: string;
  readonly baseUrl: string;
  readonly isEmulator: boolean;
}

/** What a person agrees to for one connection after the other, each under its key in the memory of this machine. */
export const consentKeys = {
  /** That language models read contents that came through it. */
  read: 'managedAgents.modelsMayRead',
  /** That chats and other extensions use its models, which costs. */
  chat: 'managedAgents.modelsMayCost',
} as const;

/**
 * For which connections the person agreed to something. Kept on this machine only, and bound to the address: a connection that leads
 * elsewhere is asked about anew.
 */
export class Consents {
  /** Declined in this window: nobody is asked again and again. */
  private readonly declined = new Set<string>();
  private readonly asked = new Map<string, Promise<boolean>>();

  constructor(
    private readonly memory: Pick<Memento, 'get' | 'update'>,
    private readonly key: string,
    private readonly ask: (connection: ConsentedConnection, program?: string) => Promise<boolean>,
  ) {}

  has(connection: ConsentedConnection): boolean {
    return this.kept().includes(keyOf(connection));
  }

  /**
   * Returns whether the person agrees. Asks if that is unknown, once for all concurrent callers. The question names `program` if another
   * program wants to know.
   */
  async demand(connection: ConsentedConnection, program?: string): Promise<boolean> {
    const key = keyOf(connection);
    if (this.has(connection) || this.declined.has(key)) {
      return this.has(connection);
    }
    const asking = this.asked.get(key) ?? this.question(connection, program);
    this.asked.set(key, asking);
    return await asking;
  }

  /** Writes down for which connections the person agrees, and forgets all others that are there no more. */
  async set(allowed: readonly ConsentedConnection[]): Promise<void> {
    this.declined.clear();
    await this.memory.update(this.key, allowed.length === 0 ? undefined : allowed.map(keyOf));
  }

  private async question(connection: ConsentedConnection, program: string | undefined): Promise<boolean> {
    const key = keyOf(connection);
    try {
      const isAllowed = await this.ask(connection, program);
      if (isAllowed) {
        await this.memory.update(this.key, [...this.kept(), key]);
      } else {
        this.declined.add(key);
      }
      return isAllowed;
    } finally {
      this.asked.delete(key);
    }
  }

  private kept(): readonly string[] {
    const kept = this.memory.get<unknown>(this.key);
    return Array.isArray(kept) ? kept.filter(one => typeof one === 'string') : [];
  }
}

/** The emulator has another address at every start. */
function keyOf({ name, baseUrl, isEmulator }: ConsentedConnection): string {
  return JSON.stringify([name, isEmulator ? 'emulator' : URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl]);
}
