import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { isRecord } from '../../../shared/isRecord';
import type { ReceivedDelivery } from './readDelivery';
import { partsOf } from './verifyDelivery';

/** A delivery that arrived at this machine. */
export interface TakenDelivery extends ReceivedDelivery {
  /** Of the list here: the same delivery that comes twice has two. */
  readonly key: string;
  /** The header `webhook-id`, empty without one. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly takenAt: number;
  /** The kind of event that it tells of, empty where the body does not say. */
  readonly type: string;
  /** The session that it is about. */
  readonly sessionId: string | undefined;
  /** Whether one with its id was there before. */
  readonly isDuplicate: boolean;
}

const mostBytes = 1024 * 1024;
const mostKept = 200;

/**
 * Takes deliveries at an address of this machine that nobody can guess, while it runs. Nothing but a POST to that address by its own name is
 * answered with success.
 */
export class WebhookReceiver {
  private readonly path = `/${randomBytes(16).toString('hex')}`;
  private readonly taken: TakenDelivery[] = [];
  private readonly server = http.createServer((request, response) => {
    this.take(request).then(
      status => response.writeHead(status).end(),
      () => request.socket.destroy(),
    );
  });
  private count = 0;
  private port = 0;

  constructor(
    private readonly now: () => number,
    private readonly onTaken: () => void,
  ) {}

  /** Settles when deliveries can come. Rejects when no port is free. */
  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Where deliveries go. */
  get url(): string {
    return `http://127.0.0.1:${this.port}${this.path}`;
  }

  /** The latest, newest first. */
  get deliveries(): readonly TakenDelivery[] {
    return this.taken;
  }

  /** Ends every connection and gives the port back. */
  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async take(request: IncomingMessage): Promise<number> {
    // A page in a browser that knows the port still does not know the path; nor can it call this by another host's name.
    if (request.url !== this.path || request.headers.host !== `127.0.0.1:${this.port}`) {
      request.resume();
      return 404;
    }
    if (request.method !== 'POST') {
      request.resume();
      return 405;
    }
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes <= mostBytes) {
        parts.push(part);
      }
    }
    if (bytes > mostBytes) {
      return 413;
    }
    this.add(request, Buffer.concat(parts));
    return 200;
  }

  private add({ headers: given }: IncomingMessage, body: Buffer): void {
    const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
    const { id } = partsOf({ headers });
    const told = tellsOf(body);
    const isDuplicate = id !== '' && this.taken.some(one => one.id === id);
    this.taken.unshift({ key: String(this.count++), headers, body, id, takenAt: this.now(), isDuplicate, ...told });
    this.taken.splice(mostKept);
    this.onTaken();
  }
}

function tellsOf(body: Buffer): Pick<TakenDelivery, 'type' | 'sessionId'> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    return { type: '', sessionId: undefined };
  }
  const data = isRecord(value) && isRecord(value.data) ? value.data : {};
  const type = typeof data.type === 'string' ? data.type : '';
  const isOfSession = type.startsWith('session.') && typeof data.id === 'string' && type !== 'session.deleted';
  return { type, sessionId: isOfSession ? String(data.id) : undefined };
}
