import { once } from 'node:events';
import net from 'node:net';

/** Stage of a request at which the client is killed. */
export type Phase = 'never' | 'connected' | 'head' | 'half' | 'all but a byte' | 'whole' | 'answered' | 'delivered';

/** A proxy at which the sender of a request can be killed. Bytes that were sent before the kill still reach the server, as on a network. */
export interface KillingProxy {
  readonly url: string;
  /** Resolves once everything that was sent has reached the server and was handled. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a proxy that forwards one request to `target` up to `phase`, and then calls `kill`. */
export async function startKillingProxy(target: string, phase: Phase, kill: () => void): Promise<KillingProxy> {
  const { port } = new URL(target);
  const done: Promise<void>[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer({ allowHalfOpen: true }, down => {
    const up = net.connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [up, down]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    done.push(new Promise(resolve => up.once('close', resolve)));
    carry(down, up, { phase, kill, host: `127.0.0.1:${port}` });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    settle: async () => {
      await Promise.all(done);
    },
    stop: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}

interface Way {
  readonly phase: Phase;
  readonly kill: () => void;
  /** Host name that the server accepts. */
  readonly host: string;
}

function carry(down: net.Socket, up: net.Socket, { phase, kill, host }: Way): void {
  let head = Buffer.alloc(0);
  let left = Number.POSITIVE_INFINITY;
  let body = 0;
  let isCut = false;
  const close = () => {
    // A service that has received the whole request doesn't notice that the client is gone.
    if (phase !== 'whole' || !isCut) {
      up.end();
    }
  };
  const die = () => {
    isCut = true;
    kill();
    close();
  };
  if (phase === 'connected') {
    die();
  }
  const takeHead = (bytes: Buffer): Buffer => {
    head = Buffer.concat([head, bytes]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) {
      return Buffer.alloc(0);
    }
    const text = head.toString('latin1', 0, end + 4);
    body = Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? 0);
    left = body;
    up.write(text.replace(/^host: .*$/im, `host: ${host}`), 'latin1');
    return head.subarray(end + 4);
  };
  down.on('data', (bytes: Buffer) => {
    if (isCut) {
      return;
    }
    const rest = left === Number.POSITIVE_INFINITY ? takeHead(bytes) : bytes;
    if (left === Number.POSITIVE_INFINITY) {
      return;
    }
    if (phase === 'head') {
      die();
      return;
    }
    const until = phase === 'half' ? Math.ceil(body / 2) : phase === 'all but a byte' ? 1 : 0;
    const part = rest.subarray(0, left - until);
    left -= part.length;
    up.write(part);
    if (left === until && (phase === 'half' || phase === 'all but a byte' || phase === 'whole')) {
      die();
    }
  });
  up.on('data', (bytes: Buffer) => {
    if (phase === 'answered') {
      die();
    } else if (isCut) {
      up.end();
    } else {
      down.write(bytes, () => phase === 'delivered' && !isCut && die());
    }
  });
  down.on('close', close);
  down.on('end', close);
  up.on('end', () => down.end());
}
