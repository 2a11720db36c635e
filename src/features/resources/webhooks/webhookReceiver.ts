import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { isRecord } from '../../../shared/isRecord';
import { jsonOf } from '../../../shared/jsonOf';
import { partsOf, type ReceivedDelivery } from './verifyDelivery';

/** Delivery received on this machine. */
export interface LocalDelivery extends ReceivedDelivery {
  /** Key that is unique in this list, even if the same delivery arrives twice. */
  readonly key: string;
  /** Value of the header `webhook-id`. Empty if the header is absent. */
  readonly id: string;
  /** Time of receipt, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** Event type. Empty if the body does not name it. */
  readonly type: string;
  readonly sessionId: string | undefined;
  readonly isDuplicate: boolean;
}

const maxBytes = 1024 * 1024;
const maxDeliveries = 200;
/** Maximum size of all deliveries together, in bytes: bodies, headers, and bodies being received. */
const maxReservedBytes = 32 * 1024 * 1024;

/** Receives deliveries at an unguessable local address while it runs. Only a POST to that address, with its host name, succeeds. */
export class WebhookReceiver {
  private readonly path = `/${randomBytes(16).toString('hex')}`;
  private readonly received: LocalDelivery[] = [];
  private readonly server: http.Server;
  private count = 0;
  private reservedBytes = 0;
  private port = 0;

  /** `patience` is the maximum time for a whole delivery, in milliseconds. */
  constructor(
    private readonly now: () => number,
    private readonly onReceived: () => void,
    patience = 10_000,
  ) {
    const limits = { requestTimeout: patience, headersTimeout: patience, connectionsCheckingInterval: Math.min(1_000, patience) };
    this.server = http.createServer(limits, (request, response) => {
      this.receive(request).then(
        status => response.writeHead(status).end(),
        () => request.socket.destroy(),
      );
    });
  }

  /** Starts the receiver. Resolves when it accepts deliveries. Rejects if no port is free. */
  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}${this.path}`;
  }

  /** Latest deliveries, newest first. */
  get deliveries(): readonly LocalDelivery[] {
    return this.received;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async receive(request: IncomingMessage): Promise<number> {
    if (request.url !== this.path || request.headers.host !== `127.0.0.1:${this.port}`) {
      request.resume();
      return 404;
    }
    // Only web pages send an `Origin` header.
    if (request.headers.origin !== undefined) {
      request.resume();
      return 403;
    }
    if (request.method !== 'POST') {
      request.resume();
      return 405;
    }
    const parts: Buffer[] = [];
    let bytes = 0;
    let refusal: number | undefined;
    try {
      // Reads a refused body to its end, or its sender would not see the response.
      for await (const part of request as AsyncIterable<Buffer>) {
        refusal ??= bytes + part.length > maxBytes ? 413 : this.reserve(part.length) ? undefined : 503;
        if (refusal === undefined) {
          bytes += part.length;
          parts.push(part);
        }
      }
    } finally {
      this.reservedBytes -= bytes;
    }
    if (refusal === undefined) {
      this.add(request, Buffer.concat(parts));
    }
    return refusal ?? 200;
  }

  /** Reserves memory for bytes of a body. Returns false if the bodies being received already use all of it. */
  private reserve(bytes: number): boolean {
    this.reservedBytes += bytes;
    this.makeRoom();
    if (this.reservedBytes <= maxReservedBytes) {
      return true;
    }
    this.reservedBytes -= bytes;
    return false;
  }

  private add({ headers: given }: IncomingMessage, body: Buffer): void {
    const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
    const { id } = partsOf({ headers });
    const described = describe(body);
    const isDuplicate = id !== '' && this.received.some(one => one.id === id);
    const delivery = { key: String(this.count++), headers, body, id, receivedAt: this.now(), isDuplicate, ...described };
    this.received.unshift(delivery);
    this.reservedBytes += sizeOf(delivery);
    this.makeRoom();
    this.onReceived();
  }

  /** Drops the oldest deliveries until the limits for their number and size are met. */
  private makeRoom(): void {
    while (this.received.length > maxDeliveries || this.reservedBytes > maxReservedBytes) {
      const oldest = this.received.pop();
      if (oldest === undefined) {
        return;
      }
      this.reservedBytes -= sizeOf(oldest);
    }
  }
}

function sizeOf({ headers, body }: ReceivedDelivery): number {
  return body.length + JSON.stringify(headers).length;
}

function describe(body: Buffer): Pick<LocalDelivery, 'type' | 'sessionId'> {
  const value = jsonOf(body.toString());
  const data = isRecord(value) && isRecord(value.data) ? value.data : {};
  const type = typeof data.type === 'string' ? data.type : '';
  const isOfSession = type.startsWith('session.') && typeof data.id === 'string' && type !== 'session.deleted';
  return { type, sessionId: isOfSession ? String(data.id) : undefined };
}
