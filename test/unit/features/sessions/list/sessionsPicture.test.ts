import assert from 'node:assert/strict';
import type { Session } from '../../../../../src/client/resources/sessions';
import { SessionStore } from '../../../../../src/features/sessions/list/sessionStore';
import { describeListing, SessionsDrawing, type SessionsPicture } from '../../../../../src/features/sessions/list/sessionsPicture';
import { fillPlaceholders } from '../../requests/fillPlaceholders';

const context = { translate: fillPlaceholders, locale: 'en', now: 0 };
const session = (id: string): Session => ({ id, type: 'session', status: 'idle' });

describe('features/sessions/list/sessionsPicture', () => {
  let store: SessionStore;
  const accept = (ids: readonly string[], nextCursor?: string) =>
    store.acceptFirstPage(store.list.scope ?? '', { items: ids.map(session), nextCursor, requestId: undefined }, 1);
  const look = (sessionId: string, ...asks: string[]) =>
    store.facts.setLog({ connection: 'A', sessionId }, session(sessionId), {
      asks: asks.map(eventId => ({ eventId, kind: 'confirmation' })),
      firstWords: undefined,
    });
  const message = (isFilteredHere = false) => describeListing(store, { isFilteredHere }, context);

  beforeEach(() => {
    store = new SessionStore({ now: () => 0, monotonic: () => 1 }, () => []);
    store.reset('A');
  });

  it('shows no message if all sessions are known', () => {
    accept(['a']);
    look('a');
    assert.equal(message(), undefined);
  });

  it("says why the rows couldn't be refreshed, until they were", () => {
    accept(['a']);
    look('a');
    store.list.acceptFailure(store.list.scope ?? '', new Error('The service is away.'));
    assert.equal(store.state, 'filled');
    assert.equal(message(), "Couldn't refresh: The service is away.");
    accept(['a']);
    assert.equal(message(), undefined);
  });

  it('shows how many sessions were checked for asks while reading, and if there are more', () => {
    accept(['a', 'b'], 'more');
    look('a');
    store.noteReach('reading');
    assert.equal(message(), 'Newest 1 sessions checked.');
    store.noteReach('bounded');
    look('b');
    store.facts.outdate();
    assert.equal(message(), 'Newest 2 sessions checked.');
    store.noteReach('whole');
    assert.equal(message(), undefined);
  });

  it('counts in the badge what Needs You contains: open asks and questions', () => {
    accept(['a', 'b', 'c']);
    look('a', 'e1', 'e2');
    store.facts.setLog({ connection: 'A', sessionId: 'b' }, session('b'), {
      ...{ asks: [], firstWords: undefined, rest: { kind: 'asked', eventId: 'm' } },
    });
    look('c');
    store.noteReach('whole');
    let badge: number | undefined;
    const show = (picture: SessionsPicture) => {
      badge = picture.badge?.value;
    };
    new SessionsDrawing(store, { isFilteredHere: false }, () => context, { show, drawRows: () => undefined }).draw();
    assert.equal(badge, 2);
    assert.equal(store.groups().find(({ name }) => name === 'needsYou')?.sessions.length, 2);
    store.setFilter({ states: ['done'] });
    accept(['a', 'b', 'c']);
    assert.equal(message(), 'Sessions that need you, hidden by the filter: 2.');
  });

  it('shows how many waiting sessions the filter hides', () => {
    accept(['a', 'b']);
    look('a', 'e1');
    look('b');
    store.noteReach('whole');
    store.setFilter({ states: ['done'] });
    accept(['a', 'b']);
    assert.equal(message(), 'Sessions that need you, hidden by the filter: 1.');
    assert.match(message(true) ?? '', /^Only loaded sessions are filtered\. Sessions that need you, hidden by the filter: 1/);
  });
});
