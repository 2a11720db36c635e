import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceClientOptions } from '../../../../src/client/clientOptions';
import type { ServiceClient } from '../../../../src/client/serviceClient';
import { failureOf, json, type Loopback, readBody } from '../loopback';

/** A call of a client method, and the expected request. */
export interface ExpectedCall {
  readonly call: (client: ServiceClient) => Promise<unknown>;
  readonly request: string;
  readonly body?: unknown;
  readonly beta?: string;
  /** Body of the response. The default is both an object with the requested id and an empty list. */
  readonly answer?: unknown;
  readonly result?: unknown;
}

/**
 * Asserts that each call sends exactly the expected request, with one authentication header and `beta=true`. Status 200, 201 and 202
 * are successes. Reads are retried after a 503, writes never.
 */
export async function checkCalls(
  loopback: Loopback,
  calls: readonly ExpectedCall[],
  options: Partial<ServiceClientOptions> = {},
): Promise<void> {
  let status = 200;
  let answer: unknown;
  const seen: { readonly request: string; readonly body: string; readonly headers: IncomingHttpHeaders }[] = [];
  const origin = await loopback.http(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://h');
    const query = [...url.searchParams].filter(([name]) => name !== 'beta').map(([name, value]) => `${name}=${value}`);
    assert.equal(url.searchParams.get('beta'), 'true');
    const line = `${request.method} ${url.pathname}${query.length > 0 ? `?${query.join('&')}` : ''}`;
    seen.push({ request: line, body: await readBody(request), headers: request.headers });
    json(response, status < 400 ? answer : { type: 'error', error: { type: 'api_error', message: 'x' } }, status);
  });
  const client = loopback.client(origin, options);
  for (const expected of calls) {
    answer = expected.answer ?? { id: idIn(expected.request), type: 'thing', later: { field: 1 }, data: [] };
    const isRead = expected.request.startsWith('GET');
    for (status of isRead ? [200] : [200, 201, 202]) {
      seen.length = 0;
      const result = await expected.call(client);
      assert.deepEqual(
        seen.map(({ request }) => request),
        [expected.request],
      );
      const [{ body, headers }] = seen as [(typeof seen)[number]];
      assert.deepEqual(body === '' ? undefined : JSON.parse(body), expected.body, expected.request);
      assert.equal(headers['vendor-beta'], expected.beta ?? 'managed-agents-2026-04-01');
      assert.deepEqual([headers['x-api-key'] !== undefined, headers.authorization], [true, undefined]);
      assert.equal(headers['content-type'], expected.body === undefined ? undefined : 'application/json');
      if (expected.result !== undefined) {
        assert.deepEqual(result, expected.result);
      }
    }
    status = 503;
    seen.length = 0;
    assert.equal((await failureOf(expected.call(client))).kind, 'api');
    assert.ok(isRead ? seen.length >= 1 : seen.length === 1, `${expected.request} was sent ${seen.length} times`);
  }
}

/** Returns the last id in the path of a request. Every second segment of a path is an id. */
function idIn(request: string): string {
  const segments = new URL(request.split(' ')[1] ?? '', 'http://h').pathname.split('/').slice(2);
  return decodeURIComponent(segments.filter((_, index) => index % 2 === 1).at(-1) ?? 'x_1');
}
