import type { Memento, SecretStorage } from 'vscode';

/** Webhook whose signing secret is saved. */
export interface StoredSecret {
  readonly connection: string;
  readonly webhookId: string;
  readonly name: string;
}

const index = 'managedAgents.webhookSecrets';
const maxSecrets = 100;

/**
 * Signing secrets that the user chose to save. SecretStorage has the secrets, and the extension's state has the webhooks they belong to.
 */
export class WebhookSecrets {
  constructor(
    private readonly secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>,
    private readonly state: Pick<Memento, 'get' | 'update'>,
  ) {}

  /** Returns the saved webhooks, newest first. */
  list(): readonly StoredSecret[] {
    return this.state.get<readonly StoredSecret[]>(index, []);
  }

  get({ connection, webhookId }: Pick<StoredSecret, 'connection' | 'webhookId'>): Promise<string | undefined> {
    return Promise.resolve(this.secrets.get(nameOf(connection, webhookId)));
  }

  async keep(entry: StoredSecret, secret: string): Promise<void> {
    const { connection, webhookId } = entry;
    await this.secrets.store(nameOf(connection, webhookId), secret);
    const all = [entry, ...this.list().filter(one => one.connection !== connection || one.webhookId !== webhookId)];
    for (const { connection: name, webhookId: id } of all.slice(maxSecrets)) {
      await this.secrets.delete(nameOf(name, id));
    }
    await this.state.update(index, all.slice(0, maxSecrets));
  }

  async all(): Promise<readonly string[]> {
    const found = await Promise.all(this.list().map(entry => this.get(entry)));
    return found.filter(secret => secret !== undefined);
  }
}

function nameOf(connection: string, webhookId: string): string {
  return `managedAgents.webhookSecret:${JSON.stringify([connection, webhookId])}`;
}
