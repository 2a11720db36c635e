import type { LookupFunction } from 'node:net';
import type { Dialect, ResourceGroup } from './dialect';
import type { Clock } from './transport/retryPolicy';
import type { ServiceStanding } from './transport/serviceStanding';

/** Which of the two authentication headers carries the key: `X-Api-Key: KEY` or `Authorization: Bearer KEY` (contract, Authentication 1). */
export type AuthForm = 'x-api-key' | 'bearer';

/** An API key and the one origin (scheme, host, port) it was given for. It is attached to requests of that origin only. */
export interface Credential {
  readonly key: string;
  readonly origin: string;
}

/** Where and how connections to the service leave this machine. */
export interface NetworkOptions {
  /** Proxy for a URL, or undefined for a direct connection. Defaults to the environment's `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
  readonly proxyFor?: (url: URL) => string | undefined;
  /** Value of `Proxy-Authorization`, when the proxy wants one. */
  readonly proxyAuthorization?: string;
  /** Extra certificate authorities in PEM, beside the built-in ones. */
  readonly certificateAuthorities?: readonly string[];
  /** Certificates are always checked unless VS Code's own `http.proxyStrictSSL` is off. */
  readonly strictTls?: boolean;
  /** How names get their addresses; the system's way unless given. */
  readonly lookup?: LookupFunction;
}

/** Time-outs in milliseconds; each defaults to the number in the contributors' guide. */
export interface Timeouts {
  readonly connect: number;
  readonly firstByte: number;
  readonly bodySilence: number;
  /** Silence in an event stream; comments count as life. */
  readonly streamSilence: number;
  /** A whole call that is not streamed, retries not counted. A streamed upload may take longer: there, silence counts. */
  readonly call: number;
}

/** Where the client writes what it did: never a key, never a body. */
export interface ClientLog {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
}

/** One try at a call, as far as the head of its answer: never a key, a query or a body. */
export interface CallRecord {
  readonly method: string;
  /** Below `/v1`, with the ids that it names. */
  readonly path: string;
  /** Until the head of the answer was there, or the try failed. */
  readonly milliseconds: number;
  readonly status?: number;
  /** As the service gave it. */
  readonly requestId?: string;
  /** The kind of `ServiceError` of a try without an answer. */
  readonly failure?: string;
}

export interface ServiceClientOptions {
  /** Base address of the service, with or without a path; resources are under its `/v1`. */
  readonly baseUrl: string;
  readonly auth: AuthForm;
  readonly dialect: Dialect;
  /** Beta values added to those the dialect sends for a resource. */
  readonly extraBetas?: readonly string[];
  /** User profile that new batches are attributed to. */
  readonly userProfileId?: string;
  /** Asked for at every request, so that a changed key is used at once. */
  readonly credential: () => Promise<Credential | undefined>;
  /** Plain http to a host that is not loopback is refused unless this is true. */
  readonly allowInsecureHttp?: boolean;
  readonly network?: NetworkOptions;
  readonly timeouts?: Partial<Timeouts>;
  readonly log?: ClientLog;
  readonly userAgent?: string;
  /** Told after every call what it shows of the service. */
  readonly onStanding?: (standing: ServiceStanding) => void;
  /** Called after each listing of a group's collection. `isServed` is false if the service does not have it. */
  readonly onServed?: (group: ResourceGroup, isServed: boolean) => void;
  /** Told of every try at a call. */
  readonly onCall?: (call: CallRecord) => void;
  /** Time and chance, for tests. */
  readonly clock?: Clock;
  readonly random?: () => number;
}
