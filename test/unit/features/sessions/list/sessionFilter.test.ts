import assert from 'node:assert/strict';
import type { Session } from '../../../../../src/client/schemas/sessions';
import type { SessionsFilter } from '../../../../../src/contributions';
import type { ListedSession } from '../../../../../src/features/sessions/facts/listedSession';
import {
  describeFilter,
  isFiltering,
  isIgnoredBy,
  passes,
  toServiceFilters,
} from '../../../../../src/features/sessions/list/sessionFilter';
import { fillPlaceholders } from '../../requests/fillPlaceholders';

const session = (change: Partial<Session> = {}): Session => ({ id: 's', type: 'session', status: 'idle', ...change });
const listed = (state: ListedSession['state'], change: Partial<Session> = {}): ListedSession => ({
  connection: 'A',
  session: session(change),
  state,
  asks: [],
  name: undefined,
});

describe('features/sessions/list/sessionFilter', () => {
  it('shows everything but archived sessions when nothing is filtered', () => {
    assert.equal(isFiltering({}), false);
    assert.equal(isFiltering({ states: [] }), false);
    for (const state of ['waiting', 'running', 'rescheduling', 'idle', 'terminated', 'other'] as const) {
      assert.equal(passes(listed(state), {}), true, state);
    }
    assert.equal(passes(listed('archived'), {}), false);
    assert.equal(passes(listed('archived'), { includeArchived: true }), true);
    assert.equal(passes(listed('archived'), { includeArchived: true, states: ['running'] }), true);
  });

  it('filters by agent and state', () => {
    const filter: SessionsFilter = { agent: { id: 'a', name: 'A' }, states: ['needsYou', 'running'] };
    const fitting = { agent: { id: 'a', type: 'agent' }, created_at: '2026-11-21T11:00:00Z' };
    assert.equal(passes(listed('waiting', fitting), filter), true);
    assert.equal(passes(listed('idle', fitting), filter), false);
    assert.equal(passes(listed('waiting', { ...fitting, agent: { id: 'b', type: 'agent' } }), filter), false);
  });

  it('asks the service for what it knows: what waits can be idle or running', () => {
    assert.deepEqual(toServiceFilters({}), {});
    assert.deepEqual(toServiceFilters({ agent: { id: 'a', name: 'A' }, states: ['needsYou'] }), {
      agentId: 'a',
      statuses: ['idle', 'running'],
    });
    assert.deepEqual(toServiceFilters({ states: ['running', 'needsYou'] }), { statuses: ['running', 'rescheduling', 'idle'] });
  });

  it('asks for no statuses where the service could leave out what is wanted', () => {
    assert.deepEqual(toServiceFilters({ states: ['other', 'done'] }), {});
    assert.deepEqual(toServiceFilters({ states: ['archived'] }), { includeArchived: true });
    assert.deepEqual(toServiceFilters({ states: ['done'], includeArchived: true }), { includeArchived: true });
  });

  it('sees that a service takes no notice of a filter', () => {
    assert.equal(isIgnoredBy(session({ status: 'running' }), { statuses: ['idle'] }), true);
    assert.equal(isIgnoredBy(session({ agent: { id: 'b', type: 'agent' } }), { agentId: 'a' }), true);
    assert.equal(isIgnoredBy(session({ status: null }), { statuses: ['idle'], agentId: 'a' }), false);
  });

  it('names itself in a few words', () => {
    const filter: SessionsFilter = { agent: { id: 'a', name: 'Re\u202eviewer' }, states: ['needsYou', 'done'] };
    assert.equal(describeFilter(filter, fillPlaceholders), 'Re\\u{202e}viewer · Needs You, Done');
    assert.equal(describeFilter({ includeArchived: true }, fillPlaceholders), 'including archived');
    assert.equal(describeFilter({}, fillPlaceholders), '');
  });
});
