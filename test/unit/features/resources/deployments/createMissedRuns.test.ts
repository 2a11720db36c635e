import assert from 'node:assert/strict';
import type { Deployment } from '../../../../../src/client/resources/deployments';
import { describeMissed, followListed, presentMissed } from '../../../../../src/features/resources/deployments/createMissedRuns';
import { MissedRuns } from '../../../../../src/features/resources/deployments/missedRuns';
import { deployments } from '../../../../../src/features/resources/kinds/deployments';
import { withRemarks } from '../../../../../src/features/resources/resourcePresentation';
import { ResourceStore } from '../../../../../src/features/resources/resourceStore';
import { hiddenSurroundings } from '../hiddenSurroundings';
import { context } from '../presenting';

const hour = 60 * 60 * 1000;
const text = (time: number) => new Date(time).toISOString();

describe('features/resources/deployments/createMissedRuns followListed', () => {
  it('checks each listing before it is rendered, and none after it was disposed', async () => {
    const start = Date.parse('2026-06-01T12:10:00Z');
    const store = new ResourceStore([deployments], hiddenSurroundings);
    const notified: string[] = [];
    const missed = new MissedRuns({
      memory: { get: () => undefined, update: async () => undefined },
      readRuns: async () => [],
      report: news => notified.push(...news.map(({ name }) => name)),
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

const news = (id: string, ...times: number[]) => ({ reference: { connection: 'Lab', kind: 'deployment', id }, name: id, times });

describe('features/resources/deployments/createMissedRuns missedPresentation', () => {
  it('shows each missed time as a row', () => {
    const { words, remarks } = presentMissed([context.now - hour, context.now - 3 * hour], context);
    assert.equal(words, 'missed 2 runs');
    assert.equal(presentMissed([context.now], context).words, 'missed 1 run');
    // If the service's clock is ahead of ours, no run in our future is missed.
    assert.match(presentMissed([context.now + hour], context).remarks[0]?.description ?? '', /^now · /);
    assert.deepEqual(
      remarks.map(({ label, description }) => `${label} ${description.replace(/ · .*$/, '')}`),
      ['Missed 1 hr. ago', 'Missed 3 hr. ago'],
    );
    assert.ok(remarks.every(({ abilities, spoken, label }) => /\bmissedRun\b/.test(abilities) && spoken.startsWith(label)));
    assert.equal(new Set(remarks.map(({ id }) => id)).size, 2);
  });

  it('puts missed runs first below their deployment', () => {
    const row = {
      label: 'Hourly',
      description: 'active',
      icon: 'clock',
      color: undefined,
      abilities: 'resource',
      spoken: 'Hourly, active',
    };
    assert.deepEqual(withRemarks(row, 'missed 1 run'), {
      label: 'Hourly',
      description: 'missed 1 run · active',
      icon: 'warning',
      color: 'list.warningForeground',
      abilities: 'resource remarked',
      spoken: 'Hourly, missed 1 run, active',
    });
  });

  it('reports everything new in one sentence', () => {
    assert.match(describeMissed([news('Hourly', context.now)], context), /^"Hourly" missed a scheduled run \(.*\)$/);
    assert.match(describeMissed([news('Hourly', 1, context.now)], context), /^"Hourly" missed 2 scheduled runs \(last: Jun 1, 2026/);
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(id => news(id, 1));
    assert.equal(describeMissed(many, context), '7 deployments missed runs: a, b, c, d, e, and 2 more.');
  });

  it('escapes hidden characters in a name', () => {
    assert.ok(!describeMissed([news('\u202ex', 1)], context).includes('\u202e'));
  });
});
