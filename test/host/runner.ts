import { createConnection } from 'node:net';

/** The extension host's end of the socket to the runner (`channel.mjs`). */
export class Runner {
  private readonly socket = createConnection(Number(process.env.MANAGED_AGENTS_TEST_PORT), '127.0.0.1');
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private lastId = 0;

  constructor() {
    let rest = '';
    this.socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        this.settle(JSON.parse(line) as { id: number; value?: unknown; error?: string });
      }
    });
    this.socket.on('error', error => this.fail(error));
    this.socket.on('close', () => this.fail(new Error('The runner is gone.')));
    this.socket.write(`${process.env.MANAGED_AGENTS_TEST_TOKEN}\n`);
  }

  /** Calls a handler of the runner. Rejects with its error. */
  call(name: string, ...args: unknown[]): Promise<unknown> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket.write(`${JSON.stringify({ id, name, args })}\n`);
    });
  }

  close(): void {
    this.socket.end();
  }

  private fail(error: Error): void {
    for (const call of this.waiting.values()) {
      call.reject(error);
    }
    this.waiting.clear();
  }

  private settle(answer: { id: number; value?: unknown; error?: string }): void {
    const call = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.error === undefined) {
      call?.resolve(answer.value);
    } else {
      call?.reject(new Error(answer.error));
    }
  }
}
