import assert from 'node:assert/strict';
import type { Deployment, DeploymentRun } from '../../../../../src/client/resources/deployments';
import { followListed, MissedRuns } from '../../../../../src/features/resources/deployments/missedRuns';
import { describeMissed, type MissedNews, presentMissed } from '../../../../../src/features/resources/deployments/missedRunsPresentation';
import { deployments } from '../../../../../src/features/resources/kinds/deployments';
import { ResourceStore } from '../../../../../src/features/resources/lists/resourceList';
import { withRemarks } from '../../../../../src/features/resources/resourcePresentation';
import { hiddenSurroundings } from '../hiddenSurroundings';
import { context } from '../presenting';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2026-06-01T12:10:00Z');
const reference = { connection: 'Lab', kind: 'deployment', id: 'depl_1' };
const text = (time: number) => new Date(time).toISOString();

/** An hourly deployment, as the service returns it at `now`. */
function hourly(now: number, fields: Partial<Deployment> = {}, schedule: object = {}): Deployment {
  const next = Math.ceil((now + 1) / hour) * hour;
  const upcoming = [0, 1, 2, 3, 4].map(at => text(next + at * hour));
  return {
    id: 'depl_1',
    type: 'deployment',
    name: 'Hourly',
    status: 'active',
    updated_at: '2026-06-01T00:00:00Z',
    schedule: { type: 'cron', expression: '0 * * * *', timezone: 'UTC', last_run_at: null, upcoming_runs_at: upcoming, ...schedule },
    ...fields,
  };
}

function runAt(time: number, fields: Partial<DeploymentRun> = {}): DeploymentRun {
  return {
    id: `drun_${time}`,
    type: 'deployment_run',
    created_at: text(time + 2 * minute),
    trigger_context: { type: 'schedule', scheduled_at: text(time) },
    ...fields,
  };
}

/** A window, with the state that is still there after a reload. */
class Window {
  now = start;
  runs: readonly DeploymentRun[] = [];
  isRefused = false;
  readonly told: MissedNews[][] = [];
  readonly asked: string[] = [];
  readonly warned: string[] = [];
  readonly missed: MissedRuns;

  constructor(readonly kept = new Map<string, unknown>()) {
    this.missed = new MissedRuns({
      memory: {
        get: (key: string) => this.kept.get(key) as undefined,
        update: async (key: string, value: unknown) => {
          this.kept.set(key, JSON.parse(JSON.stringify(value)));
        },
      },
      readRuns: async (_, from, to) => {
        this.asked.push(`${from} ${to}`);
        if (this.isRefused) {
          throw new Error('no');
        }
        return this.runs;
      },
      report: news => this.told.push([...news]),
      warn: message => this.warned.push(message),
      now: () => this.now,
    });
  }

  async see(...deployments: readonly Deployment[]): Promise<void> {
    await this.missed.update('Lab', deployments);
  }

  get times(): readonly string[] {
    return this.missed.of(reference).map(time => text(time).slice(11, 16));
  }
}

describe('features/resources/deployments/missedRuns', () => {
  it('finds a time that passed by more than its delay without a run, and reports it once', async () => {
    const window = new Window();
    await window.see(hourly(start));
    window.now = Date.parse('2026-06-01T13:05:00Z');
    await window.see(hourly(window.now));
    assert.deepEqual([window.times, window.asked], [[], []], 'it may still start');
    window.now = Date.parse('2026-06-01T13:10:00Z');
    await window.see(hourly(window.now));
    assert.deepEqual(window.times, ['13:00']);
    assert.deepEqual(window.asked, ['2026-06-01T12:59:59.000Z 2026-06-01T13:09:30.000Z']);
    await window.see(hourly(window.now));
    assert.deepEqual(window.told, [[{ reference, name: 'Hourly', times: [Date.parse('2026-06-01T13:00:00Z')] }]]);
    assert.equal(window.asked.length, 1);
  });

  it('lists no runs if the deployment reports the run itself', async () => {
    const window = new Window();
    await window.see(hourly(start));
    for (const at of ['13:12', '14:12', '15:12']) {
      window.now = Date.parse(`2026-06-01T${at}:00Z`);
      const last = text(window.now - 9 * minute);
      await window.see(hourly(window.now, {}, { last_run_at: last }));
    }
    assert.deepEqual([window.times, window.asked], [[], []]);
  });

  it('checks every awaited time after a long absence', async () => {
    const window = new Window();
    await window.see(hourly(start));
    window.now = Date.parse('2026-06-01T15:40:00Z');
    window.runs = [runAt(Date.parse('2026-06-01T13:00:00Z')), runAt(Date.parse('2026-06-01T15:00:00Z'))];
    await window.see(hourly(window.now, {}, { last_run_at: '2026-06-01T15:02:00Z' }));
    assert.deepEqual([window.times, window.told.length], [['14:00'], 1]);
  });

  it('counts a failed run as a run, but not a manual one', async () => {
    const window = new Window();
    await window.see(hourly(start));
    window.now = Date.parse('2026-06-01T14:30:00Z');
    window.runs = [
      runAt(Date.parse('2026-06-01T13:00:00Z'), { error: { type: 'session_rate_limited_error' }, session_id: null }),
      runAt(Date.parse('2026-06-01T14:00:00Z'), { trigger_context: { type: 'manual' } }),
    ];
    await window.see(hourly(window.now));
    assert.deepEqual(window.times, ['14:00']);
  });

  it("uses the service's clock if it is ahead", async () => {
    const window = new Window();
    await window.see(hourly(start));
    // This window's clock has not advanced, but the service's clock has passed two run times.
    await window.see(hourly(Date.parse('2026-06-01T14:01:00Z')));
    assert.deepEqual(window.times, ['13:00']);
  });

  it("doesn't trust its own clock before the service passed a time", async () => {
    const window = new Window();
    await window.see(hourly(start));
    window.now = start + 5 * hour;
    await window.see(hourly(start + minute));
    assert.deepEqual([window.times, window.asked], [[], []]);
  });

  const unjudged: readonly (readonly [string, Partial<Deployment>, Partial<Deployment>])[] = [
    ['while it was paused', { status: 'paused', paused_reason: { type: 'manual' } }, {}],
    ['once it is paused', {}, { status: 'paused', paused_reason: { type: 'error', error: { type: 'unknown_error' } } }],
    ['once it is archived', {}, { archived_at: '2026-06-01T13:30:00Z' }],
    ['before a change, which may have been a pause', {}, { updated_at: '2026-06-01T13:30:00Z' }],
    ['once it has no schedule', {}, { schedule: null }],
    [
      'after a change of its clock',
      {},
      { schedule: { type: 'cron', expression: '30 * * * *', timezone: 'UTC', upcoming_runs_at: ['2026-06-01T14:30:00Z'] } },
    ],
  ];
  for (const [what, first, second] of unjudged) {
    it(`ignores a time that passed ${what}`, async () => {
      const window = new Window();
      await window.see(hourly(start, first));
      window.now = Date.parse('2026-06-01T13:40:00Z');
      await window.see(hourly(window.now, second));
      await window.see(hourly(window.now));
      assert.deepEqual([window.times, window.asked], [[], []]);
    });
  }

  it('still checks a time if the only change is a recorded run', async () => {
    const window = new Window();
    await window.see(hourly(start));
    window.now = Date.parse('2026-06-01T14:30:00Z');
    window.runs = [runAt(Date.parse('2026-06-01T14:00:00Z'))];
    const written = '2026-06-01T14:02:00Z';
    await window.see(hourly(window.now, { updated_at: written }, { last_run_at: written }));
    assert.deepEqual(window.times, ['13:00']);
  });

  it('remembers awaited, missed and reported times across a reload', async () => {
    const before = new Window();
    await before.see(hourly(start));
    const second = new Window(before.kept);
    second.now = Date.parse('2026-06-01T13:20:00Z');
    await second.see(hourly(second.now));
    assert.deepEqual([second.times, second.told.length], [['13:00'], 1]);
    const third = new Window(before.kept);
    third.now = second.now;
    await third.see(hourly(third.now));
    assert.deepEqual([third.times, third.told.length], [['13:00'], 0]);
  });

  it('reports several at once', async () => {
    const window = new Window();
    await window.see(hourly(start), hourly(start, { id: 'depl_2', name: 'Other' }));
    window.now = Date.parse('2026-06-01T13:20:00Z');
    await window.see(hourly(window.now), hourly(window.now, { id: 'depl_2', name: 'Other' }));
    assert.deepEqual(
      window.told.map(news => news.map(({ name }) => name)),
      [['Hourly', 'Other']],
    );
  });

  it('removes missed times whose run appears late, that were cleared, or that are old', async () => {
    const window = new Window();
    await window.see(hourly(start));
    window.now = Date.parse('2026-06-01T15:20:00Z');
    await window.see(hourly(window.now));
    assert.deepEqual(window.times, ['15:00', '14:00', '13:00']);
    let changes = 0;
    window.missed.onDidChange(() => changes++);
    window.missed.updateRuns(reference, [runAt(Date.parse('2026-06-01T14:00:00Z'), { created_at: '2026-06-01T15:19:00Z' })]);
    assert.deepEqual(window.times, ['15:00', '13:00']);
    window.now += 7 * 24 * hour - 100 * minute;
    await window.see(hourly(window.now, { status: 'paused' }));
    assert.deepEqual(window.times, ['15:00']);
    window.missed.clear(reference);
    assert.deepEqual([window.times, changes], [[], 2]);
  });

  it("checks later what couldn't be read, without a call at every poll", async () => {
    const window = new Window();
    await window.see(hourly(start));
    window.now = Date.parse('2026-06-01T13:20:00Z');
    window.isRefused = true;
    for (const _ of [1, 2, 3]) {
      await window.see(hourly(window.now));
    }
    assert.deepEqual([window.times, window.asked.length, window.warned.length], [[], 1, 1]);
    window.isRefused = false;
    window.now += 6 * minute;
    await window.see(hourly(window.now));
    assert.deepEqual(window.times, ['13:00']);
  });

  it('ignores invalid values from the service', async () => {
    const window = new Window(new Map([['missedRuns', { x: { missed: [], seenAt: 0 } }]]));
    await window.see(
      hourly(start, {}, { upcoming_runs_at: ['soon', 'later'] }),
      hourly(start, { id: 'depl_2' }, { upcoming_runs_at: undefined }),
    );
    window.now += hour;
    await window.see(hourly(window.now, {}, { upcoming_runs_at: [] }));
    assert.deepEqual([window.times, window.told], [[], []]);
  });
});

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
    // The service's clock is ahead of ours, so a missed run in our future is shown as missed now.
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
