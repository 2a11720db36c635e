import type { acts, Order } from './actorExtension';

type Acts = typeof acts;

/**
 * The test's end of the extension that acts inside VS Code (`actorExtension`): `handle` answers what comes over the channel.
 * Of several extension hosts it speaks with the one that was started last.
 */
export class Actor {
  private host: number | undefined;
  private readonly orders: Order[] = [];
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private give: ((order: Order) => void) | undefined;
  private greet: (() => void) | undefined;
  private greetGuest: (() => void) | undefined;
  private lastId = 0;

  /** Answers a call of the extension; for the channel. */
  handle(name: string, args: readonly unknown[]): unknown {
    const [first, second] = args;
    switch (name) {
      case 'actorReady':
        if (this.greetGuest !== undefined) {
          this.greetGuest();
          this.greetGuest = undefined;
          return undefined;
        }
        this.host = Number(first);
        this.greet?.();
        return undefined;
      case 'nextOrder':
        return Number(first) === this.host ? this.next() : new Promise(() => undefined);
      case 'orderDone':
        this.take(Number(first))?.resolve(second);
        return undefined;
      case 'orderFailed':
        this.take(Number(first))?.reject(new Error(String(second)));
        return undefined;
      default:
        throw new Error(`The test knows no ${name}.`);
    }
  }

  /** Forgets the extension host there was; what was asked of it fails. Settles when the next one has said that it is there. */
  async reborn(restart: () => Promise<unknown>): Promise<void> {
    this.host = undefined;
    this.give = undefined;
    this.orders.length = 0;
    for (const { reject } of this.waiting.values()) {
      reject(new Error('The window was left before it was done.'));
    }
    this.waiting.clear();
    const greeted = new Promise<void>(resolve => {
      this.greet = resolve;
    });
    await restart();
    await greeted;
    await this.do('activate');
  }

  /** Opens another window, with whose extension host it never speaks. Settles when that is there. */
  async besides(open: () => Promise<unknown>): Promise<void> {
    const greeted = new Promise<void>(resolve => {
      this.greetGuest = resolve;
    });
    await open();
    await greeted;
  }

  /** Has something done inside VS Code; rejects with what went wrong there. */
  async do<Name extends keyof Acts>(name: Name, ...args: Parameters<Acts[Name]>): Promise<Awaited<ReturnType<Acts[Name]>>> {
    const id = ++this.lastId;
    const done = new Promise<unknown>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    const order: Order = { id, name, args };
    if (this.give === undefined) {
      this.orders.push(order);
    } else {
      this.give(order);
    }
    return (await done) as Awaited<ReturnType<Acts[Name]>>;
  }

  private next(): Promise<Order> {
    const order = this.orders.shift();
    if (order !== undefined) {
      return Promise.resolve(order);
    }
    return new Promise(resolve => {
      this.give = given => {
        this.give = undefined;
        resolve(given);
      };
    });
  }

  private take(id: number): { resolve(value: unknown): void; reject(error: Error): void } | undefined {
    const call = this.waiting.get(id);
    this.waiting.delete(id);
    return call;
  }
}
