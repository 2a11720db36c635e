import assert from 'node:assert/strict';
import type { Session, SessionFilters } from '../../../../../src/client/resources/sessions';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import type { ListOptions } from '../../../../../src/client/transport/callResult';
import { ServiceError, type ServiceErrorKind } from '../../../../../src/client/transport/errors';
import { SessionListing, SessionStore } from '../../../../../src/features/sessions/list/sessionStore';

const now = Date.parse('2026-11-21T12:00:00Z');
const failure = (kind: ServiceErrorKind, status?: number) =>
  new ServiceError('no', { kind, outcome: 'refused', method: 'GET', host: 'h', path: '/', status });
const session = (status: string): Session => ({ id: status, type: 'session', status });

/** Creates a listing of a service. The service rejects requests for which `takes` returns `false`. */
function listingOf(takes: (asked: ListOptions & SessionFilters) => boolean, items: readonly Session[] = []) {
  const asked: (ListOptions & SessionFilters)[] = [];
  const store = new SessionStore({ now: () => now, monotonic: () => 0 }, () => []);
  store.reset('A');
  const list = async (options: ListOptions & SessionFilters = {}) => {
    asked.push(options);
    if (!takes(options)) {
      throw failure('invalid_request', 400);
    }
    return { items, nextCursor: undefined, requestId: undefined };
  };
  const client = { sessions: { list } } as unknown as ServiceClient;
  const listing = new SessionListing(store);
  return { store, listing, asked, page: (cursor?: string) => listing.page(client, { limit: 20, cursor }) };
}

describe('features/sessions/list/sessionListing', () => {
  it('sends the filter to the service', async () => {
    const { store, listing, asked, page } = listingOf(() => true, [session('running')]);
    store.setFilter({ states: ['running'] });
    await page();
    assert.deepEqual(asked[0]?.statuses, ['running', 'rescheduling']);
    assert.equal(listing.isFilteredHere, false);
  });

  it("lists without a rejected filter, says so, and doesn't try it again", async () => {
    const { store, listing, asked, page } = listingOf(({ statuses }) => statuses === undefined);
    store.setFilter({ states: ['running'] });
    await page();
    await page();
    assert.deepEqual(
      asked.map(({ statuses }) => statuses),
      [['running', 'rescheduling'], undefined, undefined],
    );
    assert.equal(listing.isFilteredHere, true);
  });

  it('still requests archived sessions if only another filter is rejected', async () => {
    const { store, asked, page } = listingOf(({ agentId }) => agentId === undefined);
    store.setFilter({ agent: { id: 'a', name: 'A' }, includeArchived: true });
    await page();
    assert.deepEqual(
      asked.map(({ agentId, includeArchived }) => [agentId, includeArchived]),
      [
        ['a', true],
        [undefined, true],
      ],
    );
  });

  it('starts again with another filter', async () => {
    const { store, listing, asked, page } = listingOf(({ statuses }) => statuses === undefined);
    store.setFilter({ states: ['running'] });
    await page();
    store.setFilter({ agent: { id: 'a', name: 'A' } });
    assert.equal(listing.isFilteredHere, false);
    await page();
    assert.equal(asked.at(-1)?.agentId, 'a');
    assert.equal(listing.isFilteredHere, false);
  });

  it('notices that the service ignores a filter', async () => {
    const { store, listing, page } = listingOf(() => true, [session('idle')]);
    store.setFilter({ states: ['running'] });
    await page();
    assert.equal(listing.isFilteredHere, true);
  });

  it("doesn't blame the filter for a rejected cursor or a failure", async () => {
    const { store, listing, page } = listingOf(({ cursor }) => cursor === undefined);
    store.setFilter({ states: ['running'] });
    await page();
    await assert.rejects(page('stale'), { kind: 'invalid_request' });
    assert.equal(listing.isFilteredHere, false);
    const broken = { sessions: { list: () => Promise.reject(failure('api', 500)) } } as unknown as ServiceClient;
    await assert.rejects(listing.page(broken, {}), { kind: 'api' });
  });

  it('uses one time for all pages of a listing', async () => {
    const { store, asked, page } = listingOf(() => true);
    store.setFilter({ withinHours: 1 });
    await page();
    await page('next');
    assert.deepEqual(
      asked.map(({ createdSince }) => createdSince),
      ['2026-11-21T11:00:00.000Z', '2026-11-21T11:00:00.000Z'],
    );
  });
});
