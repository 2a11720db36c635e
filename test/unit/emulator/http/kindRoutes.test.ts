import assert from 'node:assert/strict';
import { matchRoute, type Route } from '../../../../src/emulator/http/kindRoutes';

const route = (name: Route['name'], method: Route['method'], path: string): Route => ({
  name,
  method,
  path,
  beta: undefined,
  handle: async () => undefined,
});
const routes = [
  route('batches.list', 'GET', '/v1/b'),
  route('batches.retrieve', 'GET', '/v1/b/:id'),
  route('batches.cancel', 'POST', '/v1/b/:id/cancel'),
  route('sessions.events.list', 'GET', '/v1/s/:id/events'),
  route('sessions.threads.retrieve', 'GET', '/v1/s/:id/threads/:thread'),
];
const match = (method: string, path: string) => {
  const found = matchRoute(routes, method, path);
  return found === undefined ? undefined : [found.route.name, found.id, ...(found.childId === '' ? [] : [found.childId])];
};

describe('emulator/http/kindRoutes', () => {
  it('finds a route by method and path, with the ID decoded', () => {
    assert.deepEqual(match('GET', '/v1/b'), ['batches.list', '']);
    assert.deepEqual(match('GET', '/v1/b/a%2Fb'), ['batches.retrieve', 'a/b']);
    assert.deepEqual(match('POST', '/v1/b/x/cancel'), ['batches.cancel', 'x']);
  });

  it('returns both IDs of a path with two', () => {
    assert.deepEqual(match('GET', '/v1/s/one/threads/two%2F2'), ['sessions.threads.retrieve', 'one', 'two/2']);
    assert.deepEqual(match('GET', '/v1/s/one/events'), ['sessions.events.list', 'one']);
    assert.equal(match('GET', '/v1/s/one/threads/'), undefined);
  });

  it('finds nothing for other methods, paths and malformed IDs', () => {
    for (const [method, path] of [
      ['PUT', '/v1/b'],
      ['GET', '/v1/b/'],
      ['GET', '/v1/b/x/y'],
      ['GET', '/v1/b/%zz'],
      ['POST', '/v1/b/x'],
    ] as const) {
      assert.equal(match(method, path), undefined);
    }
  });
});
