/** Log entry of one request. Never contains a key or a body. */
export interface RecordedRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** Headers by lower-case name. Authentication headers are only listed in `auth`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: readonly ('x-api-key' | 'bearer')[];
  readonly requestId: string;
  bodyBytes: number;
  /** Status of the response. `undefined` if none was sent. */
  status: number | undefined;
  /** True if the response was sent completely. `undefined` while it is being sent. */
  isWhole: boolean | undefined;
}

const secretHeaders = new Set(['x-api-key', 'authorization', 'proxy-authorization', 'cookie']);
const maxRequests = 2000;

/** Latest requests, for tests and for people who want to see the requests of a client. */
export class RequestLog {
  readonly requests: RecordedRequest[] = [];

  add(method: string, path: string, headers: NodeJS.Dict<string | string[]>, requestId: string): RecordedRequest {
    const shown = Object.entries(headers).filter(([name]) => !secretHeaders.has(name));
    const record: RecordedRequest = {
      method,
      path,
      headers: Object.fromEntries(shown.map(([name, value]) => [name, String(value)])),
      auth: [
        ...(headers['x-api-key'] === undefined ? [] : (['x-api-key'] as const)),
        ...(headers.authorization === undefined ? [] : (['bearer'] as const)),
      ],
      requestId,
      bodyBytes: 0,
      status: undefined,
      isWhole: undefined,
    };
    this.requests.push(record);
    if (this.requests.length > maxRequests) {
      this.requests.shift();
    }
    return record;
  }

  clear(): void {
    this.requests.length = 0;
  }
}
