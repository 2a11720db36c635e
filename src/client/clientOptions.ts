import type { LookupFunction } from 'node:net';
import type { Dialect, ResourceGroup } from './dialect';
import type { ServiceHealth } from './transport/errors';
import type { ClientClock } from './transport/retryPolicy';

/** Authentication header that carries the key: `X-Api-Key: KEY` or `Authorization: Bearer KEY` (contract, Authentication 1). */
export type AuthForm = 'x-api-key' | 'bearer';

/** API key and its only origin (scheme, host, port). The key is attached only to requests to this origin. */
export interface Credential {
  readonly key: string;
  readonly origin: string;
}

export interface NetworkOptions {
  /**
   * Returns the proxy for a URL, or `undefined` for a direct connection. Defaults to the environment's `HTTPS_PROXY`, `HTTP_PROXY` and
   * `NO_PROXY`.
   */
  readonly proxyFor?: (url: URL) => string | undefined;
  /** Value of `Proxy-Authorization`. Absent if the proxy does not require it. */
  readonly proxyAuthorization?: string;
  /** Additional certificate authorities in PEM. */
  readonly certificateAuthorities?: readonly string[];
  /** True if certificates are checked. False only if VS Code's own `http.proxyStrictSSL` is off. */
  readonly strictTls?: boolean;
  /** Resolves host names. Defaults to the system's resolver. */
  readonly lookup?: LookupFunction;
}

/** Time-outs in milliseconds. The defaults are in `transport.ts`. */
export interface Timeouts {
  readonly connect: number;
  readonly firstByte: number;
  readonly bodySilence: number;
  /** Maximum silence in an event stream. Comments also end a silence. */
  readonly streamSilence: number;
  /** Maximum duration of one attempt of a call that is not streamed. In a streamed upload, it limits only the time without progress. */
  readonly call: number;
}

/** Log of the client's calls. Never contains a key or a body. */
export interface ClientLog {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
}

/** One attempt of a call, up to the head of the response. Does not contain the key, the query or the body. */
export interface CallRecord {
  readonly method: string;
  /** Path below `/v1`, including ids. */
  readonly path: string;
  /** Duration until the head of the response arrived or the attempt failed, in milliseconds. */
  readonly milliseconds: number;
  readonly status?: number;
  readonly requestId?: string;
  /** Kind of the `ServiceError` of an attempt without a response. */
  readonly failure?: string;
}

export interface ServiceClientOptions {
  /** Base URL of the service, with or without a path. Resources are below its `/v1`. */
  readonly baseUrl: string;
  readonly auth: AuthForm;
  readonly dialect: Dialect;
  /** Beta values to send in addition to those of the dialect. */
  readonly extraBetas?: readonly string[];
  /** User profile that new batches are attributed to. */
  readonly userProfileId?: string;
  /** Returns the current credential. Called for every request, so that a changed key is used immediately. */
  readonly credential: () => Promise<Credential | undefined>;
  /** True if plain http is allowed to a host that is not loopback. */
  readonly allowInsecureHttp?: boolean;
  readonly network?: NetworkOptions;
  readonly timeouts?: Partial<Timeouts>;
  readonly log?: ClientLog;
  readonly userAgent?: string;
  /** Called after every call that shows the state of the service. */
  readonly onHealth?: (health: ServiceHealth) => void;
  /** Called after each listing of a group's collection. `isServed` is false if the service does not have it. */
  readonly onServed?: (group: ResourceGroup, isServed: boolean) => void;
  readonly onCall?: (call: CallRecord) => void;
  /** Clock and randomness, for tests. */
  readonly clock?: ClientClock;
  readonly random?: () => number;
}
