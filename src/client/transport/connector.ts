import dns from 'node:dns';
import net from 'node:net';
import tls from 'node:tls';
import type { NetworkOptions } from '../clientOptions';
import { isLoopback } from './baseUrl';

/**
 * Reason why connecting failed. If the proxy failed, `proxyHost` is set. `proxyHost` is empty if the proxy's address is invalid. If the
 * proxy responded, `proxyStatus` is set. `elsewhere` means that a name of this machine resolves to the address of another machine.
 */
type ConnectReason = 'dns' | 'refused' | 'timeout' | 'lost' | 'tls' | 'proxy' | 'elsewhere';

/** Failure to connect. No byte of a request was written. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';

  constructor(
    readonly reason: ConnectReason,
    message: string,
    readonly proxyHost?: string,
    readonly proxyStatus?: number,
  ) {
    super(message);
  }
}

export interface Target {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: number;
}

type Connected = (error: ConnectFailure | undefined, socket?: net.Socket) => void;

const maxProxyHead = 16 * 1024;

/**
 * Opens connections, directly or through a proxy with CONNECT, then TLS if the target needs it. One time-out covers all steps. Certificates
 * of the proxy and the target are checked unless `strictTls` is off.
 */
export class Connector {
  private context: tls.SecureContext | undefined;

  constructor(
    private readonly network: NetworkOptions,
    private readonly proxyFor: (url: URL) => string | undefined,
    private readonly timeout: number,
    /** True if plain http is allowed to any machine. */
    private readonly allowsPlainHttp = false,
  ) {}

  /** Opens a connection and calls back once. The returned function cancels the attempt, and does nothing after the callback. */
  connect(target: Target, connected: Connected): () => void {
    const attempt = new Attempt(this.timeout, connected);
    const host = target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname;
    try {
      const proxy = this.proxyFor(new URL(`${target.protocol}//${host}:${target.port}/`));
      const secure = (socket: net.Socket) => this.secure(attempt, target, socket);
      if (proxy === undefined || proxy === '') {
        attempt.open(net.connect({ host: target.hostname, port: target.port, lookup: this.lookupFor(target) }), 'connect', secure);
      } else {
        this.throughProxy(attempt, proxy, `${host}:${target.port}`, secure);
      }
    } catch (error) {
      attempt.fail(error);
    }
    return () => attempt.fail(new ConnectFailure('lost', 'given up'));
  }

  /**
   * Returns the lookup for a target. Over plain http, the name of this machine must resolve to its own addresses only, because the key is
   * not encrypted.
   */
  private lookupFor({ protocol, hostname }: Target): net.LookupFunction {
    const lookup = this.network.lookup ?? dns.lookup;
    return this.allowsPlainHttp || protocol !== 'http:' || !isLoopback(hostname) ? lookup : onlyLoopback(lookup);
  }

  private secure(attempt: Attempt, target: Target, socket: net.Socket): void {
    attempt.proxyHost = undefined;
    if (target.protocol !== 'https:') {
      attempt.succeed(socket);
      return;
    }
    attempt.stage = 'tls';
    const options = { ...this.tlsOptions(target.hostname), socket, ALPNProtocols: ['http/1.1'] };
    attempt.open(tls.connect(options), 'secureConnect', secured => attempt.succeed(secured));
  }

  private throughProxy(attempt: Attempt, address: string, authority: string, next: (socket: net.Socket) => void): void {
    let proxy: URL;
    try {
      proxy = new URL(address.includes('://') ? address : `http://${address}`);
    } catch {
      throw new ConnectFailure('proxy', 'its address is not a URL', '');
    }
    attempt.proxyHost = proxy.host;
    if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') {
      throw new ConnectFailure(
        'proxy',
        `proxies of type ${proxy.protocol.slice(0, -1)} are not supported, and neither are PAC files: only those of type http and https`,
        proxy.host,
      );
    }
    const hostname = proxy.hostname.replace(/^\[|\]$/g, '');
    const port = Number(proxy.port) || (proxy.protocol === 'https:' ? 443 : 80);
    const authorization = this.network.proxyAuthorization ?? basicAuthorization(proxy);
    const ask = (socket: net.Socket) => askForTunnel(attempt, socket, authority, authorization, next);
    attempt.open(net.connect({ host: hostname, port }), 'connect', socket => {
      if (proxy.protocol === 'http:') {
        ask(socket);
      } else {
        attempt.stage = 'tls';
        attempt.open(tls.connect({ ...this.tlsOptions(hostname), socket, ALPNProtocols: ['http/1.1'] }), 'secureConnect', ask);
      }
    });
  }

  private tlsOptions(hostname: string): tls.ConnectionOptions {
    const extra = this.network.certificateAuthorities ?? [];
    if (extra.length > 0 && this.context === undefined) {
      this.context = tls.createSecureContext({ ca: [...tls.rootCertificates, ...extra] });
    }
    return {
      host: hostname,
      // An IP address is not a valid server name. For an address, the certificate is checked against `host`.
      servername: net.isIP(hostname) === 0 ? hostname : '',
      secureContext: this.context,
      rejectUnauthorized: this.network.strictTls !== false,
    };
  }
}

/** One connection attempt: its current socket, its time-out, and the single callback. */
class Attempt {
  stage: 'connect' | 'proxy' | 'tls' = 'connect';
  proxyHost: string | undefined;
  private socket: net.Socket | undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly onError = (error: Error) => this.fail(error);
  private readonly onClose = () => this.fail(new ConnectFailure('lost', 'the connection was closed', this.proxyHost));
  private settled = false;

  constructor(
    timeout: number,
    private readonly connected: Connected,
  ) {
    this.timer = setTimeout(() => this.fail(new ConnectFailure('timeout', `no connection in ${timeout} ms`, this.proxyHost)), timeout);
  }

  open<S extends net.Socket>(socket: S, ready: 'connect' | 'secureConnect', next: (socket: S) => void): void {
    this.release();
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('error', this.onError).on('close', this.onClose);
    socket.once(ready, () => {
      if (!this.settled) {
        next(socket);
      }
    });
  }

  succeed(socket: net.Socket): void {
    if (this.settle()) {
      this.release();
      socket.setKeepAlive(true, 30_000);
      this.connected(undefined, socket);
    }
  }

  fail(error: unknown): void {
    if (this.settle()) {
      const failure = error instanceof ConnectFailure ? error : this.explain(error);
      const socket = this.socket;
      this.release();
      socket?.on('error', () => {});
      socket?.destroy();
      this.connected(failure);
    }
  }

  private settle(): boolean {
    const first = !this.settled;
    this.settled = true;
    clearTimeout(this.timer);
    return first;
  }

  private release(): void {
    this.socket?.off('error', this.onError).off('close', this.onClose);
    if (!this.settled) {
      // Socket errors are ignored here, because TLS passes them on.
      this.socket?.on('error', () => {});
    }
    this.socket = undefined;
  }

  private explain(error: unknown): ConnectFailure {
    const code = errorCode(error);
    const message = error instanceof Error && error.message !== '' ? error.message : String(code ?? error);
    const isTls = this.stage === 'tls' && code !== 'ECONNRESET' && code !== 'EPIPE';
    const reason = reasonsByCode.get(code ?? '') ?? (isTls ? 'tls' : 'lost');
    return new ConnectFailure(reason, reason === 'tls' && code !== undefined ? `${message} (${code})` : message, this.proxyHost);
  }
}

const reasonsByCode: ReadonlyMap<string, ConnectReason> = new Map([
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA'].map(code => [code, 'dns'] as const),
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'].map(code => [code, 'refused'] as const),
  ['ETIMEDOUT', 'timeout'],
]);

/** Returns the code of a socket error. If several addresses were tried, returns the code of the first error. */
function errorCode(error: unknown): string | undefined {
  if (error instanceof AggregateError) {
    return errorCode(error.errors[0]);
  }
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

function askForTunnel(
  attempt: Attempt,
  socket: net.Socket,
  authority: string,
  authorization: string | undefined,
  next: (socket: net.Socket) => void,
): void {
  attempt.stage = 'proxy';
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (authorization !== undefined) {
    if (!/^[\x20-\x7e]*$/.test(authorization)) {
      attempt.fail(new ConnectFailure('proxy', 'the credentials for the proxy cannot be sent in a header', attempt.proxyHost));
      return;
    }
    lines.push(`Proxy-Authorization: ${authorization}`);
  }
  let head = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) {
      if (head.length > maxProxyHead) {
        attempt.fail(new ConnectFailure('proxy', 'what it answered is not HTTP', attempt.proxyHost));
      }
      return;
    }
    socket.off('data', onData);
    socket.pause();
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1', 0, end))?.[1]);
    if (status >= 200 && status < 300) {
      if (head.length > end + 4) {
        socket.unshift(head.subarray(end + 4));
      }
      next(socket);
    } else {
      const words = Number.isNaN(status) ? 'what it answered is not HTTP' : `it answered ${status}`;
      attempt.fail(new ConnectFailure('proxy', words, attempt.proxyHost, Number.isNaN(status) ? undefined : status));
    }
  };
  socket.on('data', onData);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
}

function basicAuthorization(proxy: URL): string | undefined {
  if (proxy.username === '' && proxy.password === '') {
    return undefined;
  }
  try {
    return `Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}`;
  } catch {
    throw new ConnectFailure('proxy', 'a "%" in the user name or password of its address has to be written as "%25"', proxy.host);
  }
}

/** Wraps a lookup so that it fails if a name has any address that is not this machine's own. */
function onlyLoopback(lookup: net.LookupFunction): net.LookupFunction {
  return (hostname, options, found) =>
    lookup(hostname, options, (error, address, family) => {
      const addresses = typeof address === 'string' ? [address] : (address ?? []).map(one => one.address);
      const other = error === null || error === undefined ? addresses.find(one => !isLoopbackAddress(one)) : undefined;
      found(other === undefined ? error : new ConnectFailure('elsewhere', other), address, family);
    });
}

const loopbackAddresses = new net.BlockList();
loopbackAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
loopbackAddresses.addAddress('::1', 'ipv6');

function isLoopbackAddress(address: string): boolean {
  return loopbackAddresses.check(address, net.isIPv6(address) ? 'ipv6' : 'ipv4');
}
