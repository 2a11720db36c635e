import assert from 'node:assert/strict';
import type { Deployment } from '../../../../../src/client/schemas/deployments';
import { followListed } from '../../../../../src/features/resources/deployments/createMissedRuns';
import { MissedRuns } from '../../../../../src/features/resources/deployments/missedRuns';
import { deployments } from '../../../../../src/features/resources/kinds/deployments';
import { ResourceStore } from '../../../../../src/features/resources/resourceStore';
import { unlookedSurroundings } from '../unlookedSurroundings';

const hour = 60 * 60 * 1000;
const text = (time: number) => new Date(time).toISOString();

describe('features/resources/deployments/followListed', () => {
  it('sees what is listed twice before anything is drawn, and nothing once it is over', async () => {
    const start = Date.parse('2026-06-01T12:10:00Z');
    const store = new ResourceStore([deployments], unlookedSurroundings);
    const notified: string[] = [];
    const missed = new MissedRuns({
      memory: { get: () => undefined, update: async () => undefined },
      readRuns: async () => [],
      tell: news => notified.push(...news.map(({ name }) => name)),
      warn: message => assert.fail(message),
      now: () => start,
    });
    const following = followListed(missed, store, message => assert.fail(message));
    store.reset('Lab');
    const { list } = store.listOf('Lab', deployments);
    const listAt = (time: number) => {
      const next = Math.ceil(time / hour) * hour;
      const schedule = { type: 'cron', expression: '0 * * * *', timezone: 'UTC', last_run_at: null };
      const item: Deployment = {
        id: 'depl_1',
        type: 'deployment',
        name: 'Hourly',
        status: 'active',
        updated_at: text(start),
        schedule: { ...schedule, upcoming_runs_at: [text(next), text(next + hour)] },
      };
      list.acceptFirstPage('Lab', { items: [item], nextCursor: undefined, requestId: undefined });
    };
    listAt(start);
    listAt(start + 3 * hour);
    await new Promise(setImmediate);
    assert.deepEqual(notified, ['Hourly']);
    following.dispose();
    missed.clear(undefined);
    listAt(start + 9 * hour);
    await new Promise(setImmediate);
    assert.deepEqual(notified, ['Hourly']);
  });
});
