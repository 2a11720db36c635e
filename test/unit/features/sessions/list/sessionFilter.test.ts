import assert from 'node:assert/strict';
import type { Session } from '../../../../../src/client/resources/sessions';
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

const now = Date.parse('2026-11-21T12:00:00Z');
const session = (change: Partial<Session> = {}): Session => ({ id: 's', type: 'session', status: 'idle', ...change });
const listed = (state: ListedSession['state'], change: Partial<Session> = {}): ListedSession => ({
  connection: 'A',
  session: session(change),
  state,
  asks: [],
  name: undefined,
});

describe('features/sessions/list/sessionFilter', () => {
  it('shows everything but archived sessions without a filter', () => {
    assert.equal(isFiltering({}), false);
    assert.equal(isFiltering({ states: [] }), false);
    for (const state of ['waiting', 'running', 'rescheduling', 'idle', 'terminated', 'other'] as const) {
      assert.equal(passes(listed(state), {}, now), true, state);
    }
    assert.equal(passes(listed('archived'), {}, now), false);
    assert.equal(passes(listed('archived'), { includeArchived: true }, now), true);
    assert.equal(passes(listed('archived'), { includeArchived: true, states: ['running'] }, now), true);
  });

  it('shows archived sessions if the filter names them as a state', () => {
    assert.equal(passes(listed('archived'), { states: ['archived'] }, now), true);
    assert.equal(passes(listed('archived'), { states: ['archived', 'done'] }, now), true);
    assert.equal(passes(listed('idle'), { states: ['archived'] }, now), false);
    assert.deepEqual(toServiceFilters({ states: ['archived'] }, now), { includeArchived: true });
  });

  it('filters by agent, state and age of the session', () => {
    const filter: SessionsFilter = { agent: { id: 'a', name: 'A' }, states: ['needsYou', 'running'], withinHours: 24 };
    const fitting = { agent: { id: 'a', type: 'agent' }, created_at: '2026-11-21T11:00:00Z' };
    assert.equal(passes(listed('waiting', fitting), filter, now), true);
    assert.equal(passes(listed('idle', fitting), filter, now), false);
    assert.equal(passes(listed('waiting', { ...fitting, agent: { id: 'b', type: 'agent' } }), filter, now), false);
    assert.equal(passes(listed('waiting', { ...fitting, created_at: '2026-11-20T11:00:00Z' }), filter, now), false);
    assert.equal(passes(listed('waiting', { ...fitting, created_at: undefined }), filter, now), true);
  });

  it('sends the statuses that it needs: a waiting session can be idle or running', () => {
    assert.deepEqual(toServiceFilters({}, now), {});
    assert.deepEqual(toServiceFilters({ agent: { id: 'a', name: 'A' }, states: ['needsYou'], withinHours: 1 }, now), {
      agentId: 'a',
      statuses: ['idle', 'running'],
      createdSince: '2026-11-21T11:00:00.000Z',
    });
    assert.deepEqual(toServiceFilters({ states: ['running', 'needsYou'] }, now), { statuses: ['running', 'rescheduling', 'idle'] });
  });

  it('sends no statuses if the service could leave out wanted sessions', () => {
    assert.deepEqual(toServiceFilters({ states: ['other', 'done'] }, now), {});
    assert.deepEqual(toServiceFilters({ states: ['done'], includeArchived: true }, now), { includeArchived: true });
  });

  it('notices that a service ignores a filter, allowing for whole seconds', () => {
    const createdSince = '2026-11-21T11:00:00.900Z';
    assert.equal(isIgnoredBy(session({ status: 'running' }), { statuses: ['idle'] }), true);
    assert.equal(isIgnoredBy(session({ agent: { id: 'b', type: 'agent' } }), { agentId: 'a' }), true);
    assert.equal(isIgnoredBy(session({ created_at: '2026-11-21T11:00:00Z' }), { createdSince }), false);
    assert.equal(isIgnoredBy(session({ created_at: '2026-11-21T10:00:00Z' }), { createdSince }), true);
    assert.equal(isIgnoredBy(session({ status: null }), { statuses: ['idle'], agentId: 'a' }), false);
  });

  it('describes a filter briefly', () => {
    const filter: SessionsFilter = { agent: { id: 'a', name: 'Re\u202eviewer' }, states: ['needsYou', 'done'], withinHours: 168 };
    assert.equal(describeFilter(filter, fillPlaceholders), 'Re\\u{202e}viewer · Needs You, Done · last 7 days');
    assert.equal(describeFilter({ includeArchived: true, withinHours: 24 }, fillPlaceholders), 'last 24 hours · including archived');
    assert.equal(describeFilter({}, fillPlaceholders), '');
  });
});
