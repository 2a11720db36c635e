/** What the emulator keeps of one request: never a key, never a body. */
export interface RecordedRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** Lower-case names; authentication headers are only named in `auth`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The authentication headers that were sent. */
  readonly auth: readonly ('x-api-key' | 'bearer')[];
  readonly requestId: string;
  /** Bytes of the body that were read. */
  bodyBytes: number;
  /** Status of the answer; undefined when none was sent. */
  status: number | undefined;
  /** Whether the answer went out to its end; undefined while it may still. */
  isWhole: boolean | undefined;
}

const secretHeaders = new Set(['x-api-key', 'authorization', 'proxy-authorization', 'cookie']);
const kept = 2000;

/** The latest requests, for tests and for people who look at what a client sends. */
export class RequestLog {
  readonly #requests: RecordedRequest[] = [];

  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  add(method: string, path: string, headers: NodeJS.Dict<string | string[]>, requestId: string): RecordedRequest {
    const auth: ('x-api-key' | 'bearer')[] = [];
    if (headers['x-api-key'] !== undefined) {
      auth.push('x-api-key');
    }
    if (headers.authorization !== undefined) {
      auth.push('bearer');
    }
    const shown = Object.entries(headers).filter(([name]) => !secretHeaders.has(name));
    const record: RecordedRequest = {
      method,
      path,
      headers: Object.fromEntries(shown.map(([name, value]) => [name, String(value)])),
      auth,
      requestId,
      bodyBytes: 0,
      status: undefined,
      isWhole: undefined,
    };
    this.#requests.push(record);
    if (this.#requests.length > kept) {
      this.#requests.shift();
    }
    return record;
  }

  clear(): void {
    this.#requests.length = 0;
  }
}
