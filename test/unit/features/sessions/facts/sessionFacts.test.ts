import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Session } from '../../../../../src/client/resources/sessions';
import type { PanelSession } from '../../../../../src/features/sessions/facts/listedSession';
import type { OpenAsk } from '../../../../../src/features/sessions/facts/openAsks';
import { groupOf } from '../../../../../src/features/sessions/list/sessionGroups';
import { SessionStore } from '../../../../../src/features/sessions/list/sessionStore';
import { SessionsDrawing, type SessionsPicture } from '../../../../../src/features/sessions/list/sessionsPicture';
import { runs } from '../../../../helpers/runs';
import { fillPlaceholders } from '../../requests/fillPlaceholders';

/** Actual state of a session. `step` grows with every change. */
interface Truth {
  readonly step: number;
  readonly status: 'idle' | 'running' | 'terminated';
  readonly asks: readonly string[];
  readonly isArchived: boolean;
}

const ids = ['a', 'b', 'c'];
const id = fc.constantFrom(...ids);
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('run' as const), id }),
    fc.record({ do: fc.constant('ask' as const), id }),
    fc.record({ do: fc.constant('rest' as const), id }),
    fc.record({ do: fc.constant('end' as const), id }),
    fc.record({ do: fc.constant('archive' as const), id }),
    fc.record({ do: fc.constant('delete' as const), id }),
    fc.record({ do: fc.constant('list' as const) }),
    fc.record({ do: fc.constant('survey' as const), id }),
    fc.record({ do: fc.constant('look' as const), id }),
    { weight: 4, arbitrary: fc.record({ do: fc.constant('deliver' as const), at: fc.nat(9) }) },
    fc.record({ do: fc.constant('open' as const), id }),
    fc.record({ do: fc.constant('lose' as const), id }),
    fc.record({ do: fc.constant('close' as const), id }),
  ),
  { minLength: 10, maxLength: 60, size: 'max' },
);

/** A service, a window and the responses in transit. */
class World {
  private now = 0;
  readonly truths = new Map<string, Truth>(ids.map(name => [name, { step: 0, status: 'idle', asks: [], isArchived: false }]));
  /** Responses in transit. A response has the state at the time of its request. */
  readonly answers: (() => void)[] = [];
  readonly open = new Map<string, 'live' | 'lost'>();
  private readonly clock = { now: () => this.now, monotonic: () => this.now };
  readonly store = new SessionStore(
    this.clock,
    () => [...this.open].flatMap(([name, how]) => (how === 'live' ? this.seenOf(name) : [])),
    () => [...this.open.keys()].map(referenceOf),
  );
  picture: SessionsPicture | undefined;
  draws = 0;
  readonly drawing = new SessionsDrawing(
    this.store,
    { isFilteredHere: false },
    () => ({ translate: fillPlaceholders, locale: 'en', now: 0 }),
    {
      show: picture => {
        this.picture = picture;
      },
      drawRows: () => {
        this.draws++;
      },
    },
  );

  constructor() {
    this.store.reset('A');
  }

  do(step: typeof steps extends fc.Arbitrary<readonly (infer T)[]> ? T : never): void {
    this.now += 10;
    switch (step.do) {
      case 'run':
        this.change(step.id, { status: 'running', asks: [] });
        break;
      case 'ask':
        this.change(step.id, { status: 'idle', asks: [`ask ${this.now}`] });
        break;
      case 'rest':
        this.change(step.id, { status: 'idle', asks: [] });
        break;
      case 'end':
        this.change(step.id, { status: 'terminated', asks: [] });
        break;
      case 'archive':
        this.change(step.id, { status: 'idle', asks: [], isArchived: true });
        break;
      case 'delete':
        this.truths.delete(step.id);
        if (this.open.delete(step.id)) {
          this.store.remove(referenceOf(step.id));
        }
        break;
      case 'list':
        this.askForList();
        break;
      case 'survey':
        this.askForOne(step.id);
        break;
      case 'look':
        this.look(step.id);
        break;
      case 'deliver':
        this.answers.splice(step.at % Math.max(1, this.answers.length), 1)[0]?.();
        break;
      case 'open':
        if (this.truths.get(step.id)?.isArchived === false) {
          this.open.set(step.id, 'live');
          this.tell(step.id);
        }
        break;
      case 'lose':
        if (this.open.has(step.id)) {
          this.open.set(step.id, 'lost');
          this.store.facts.outdate();
        }
        break;
      case 'close':
        this.tell(step.id);
        this.open.delete(step.id);
        this.store.facts.outdate();
    }
  }

  /** Closes the panels, refreshes all sessions and delivers all responses. */
  settle(): void {
    for (const name of [...this.open.keys()]) {
      this.do({ do: 'close', id: name });
    }
    for (const name of ids) {
      this.now += 10;
      this.askForOne(name);
    }
    this.answers.splice(0).forEach(deliver => {
      deliver();
    });
    this.now += 10_000;
    ids.forEach(name => {
      this.look(name);
    });
    this.answers.splice(0).forEach(deliver => {
      deliver();
    });
  }

  private change(name: string, change: Partial<Truth>): void {
    const before = this.truths.get(name);
    if (before === undefined || before.isArchived) {
      return;
    }
    this.truths.set(name, { ...before, ...change, step: before.step + 1 });
    this.tell(name);
  }

  /** Reports the view of a live panel. */
  private tell(name: string): void {
    if (this.open.get(name) === 'live') {
      this.seenOf(name).forEach(seen => {
        this.store.facts.see(seen);
      });
    }
  }

  private askForList(): void {
    const asOf = this.now;
    const { scope = '' } = this.store.list;
    const items = [...this.truths].filter(([, { isArchived }]) => !isArchived).map(([name, truth]) => sessionOf(name, truth));
    this.answers.push(() => this.store.acceptFirstPage(scope, { items, nextCursor: 'more', requestId: undefined }, asOf));
  }

  private askForOne(name: string): void {
    const asOf = this.now;
    const truth = this.truths.get(name);
    this.answers.push(() => {
      if (truth !== undefined) {
        this.store.facts.take('A', [sessionOf(name, truth)], asOf);
      } else if (!this.truths.has(name)) {
        this.store.remove(referenceOf(name));
      }
    });
  }

  private look(name: string): void {
    const truth = this.truths.get(name);
    const listed = this.store.find(referenceOf(name));
    if (
      truth !== undefined &&
      listed !== undefined &&
      this.open.get(name) !== 'live' &&
      this.store.facts.isDue(referenceOf(name), listed.session)
    ) {
      const asOf = this.now;
      this.answers.push(() => {
        this.store.facts.setLog(referenceOf(name), listed.session, { asks: truth.asks.map(toAsk), firstWords: undefined }, asOf);
        this.store.facts.outdate();
      });
    }
  }

  private seenOf(name: string): readonly PanelSession[] {
    const truth = this.truths.get(name);
    if (truth === undefined) {
      return [];
    }
    const state = truth.isArchived ? 'archived' : truth.asks.length > 0 ? 'waiting' : truth.status;
    const view = {
      ...{ state, title: String(truth.step), firstWords: '', tokens: {}, updatedAt: truth.step * 1000, outcomes: [] },
      asks: truth.asks.map(eventId => ({ ...toAsk(eventId), input: { type: 'json', text: '{}' } })),
    };
    return [{ ...referenceOf(name), view: this.viewOf(name, JSON.stringify(view)) }];
  }

  private readonly views = new Map<string, PanelSession['view']>();

  /** Returns the view of a state. Equal states have the same view object, as in panels. */
  private viewOf(name: string, json: string): PanelSession['view'] {
    const view = this.views.get(name + json) ?? (JSON.parse(json) as PanelSession['view']);
    this.views.set(name + json, view);
    return view;
  }
}

const referenceOf = (sessionId: string) => ({ connection: 'A', sessionId });
const toAsk = (eventId: string): OpenAsk => ({ eventId, kind: 'confirmation', tool: 'bash', input: {} });

function sessionOf(id: string, { step, status, isArchived }: Truth): Session {
  const updated_at = new Date(step * 1000).toISOString();
  return { id, type: 'session', status, title: String(step), updated_at, archived_at: isArchived ? updated_at : null };
}

/** Asserts that list, badge, panel and the asks for navigation agree. */
function agrees({ store, picture, truths, open }: World): void {
  const rows = store.sessions();
  const waiting = rows.filter(({ state }) => state === 'waiting');
  assert.equal(picture?.badge?.value ?? 0, rows.filter(row => groupOf(row) === 'needsYou').length);
  assert.deepEqual(
    store.waiting().flatMap(({ asks }) => asks),
    waiting.flatMap(({ asks }) => asks),
  );
  assert.equal(new Set(rows.map(({ session }) => session.id)).size, rows.length);
  for (const row of rows) {
    assert.deepEqual(store.find({ connection: row.connection, sessionId: row.session.id }), row);
    assert.equal(row.state === 'waiting', row.asks.length > 0 && row.session.status !== 'terminated');
  }
  for (const [name, how] of open) {
    const truth = truths.get(name);
    const row = rows.find(({ session }) => session.id === name);
    if (how === 'live' && truth?.isArchived === false) {
      assert.deepEqual([row?.asks.map(({ eventId }) => eventId), row?.session.title], [truth.asks, String(truth.step)]);
    }
  }
}

describe('features/sessions/facts/sessionFacts', () => {
  it('keeps list, badge, panel and asks consistent after any events, never shows older data again, and ends up correct', () => {
    fc.assert(
      fc.property(steps, taken => {
        const world = new World();
        const newest = new Map<string, number>();
        for (const step of taken) {
          world.do(step);
          world.drawing.draw();
          agrees(world);
          for (const { session } of world.store.all()) {
            const shown = Number(session.title);
            assert.ok(shown >= (newest.get(session.id) ?? 0), `${session.id} went back from ${newest.get(session.id)} to ${shown}`);
            newest.set(session.id, shown);
          }
        }
        world.settle();
        world.drawing.draw();
        agrees(world);
        for (const [name, truth] of world.truths) {
          const row = world.store.find(referenceOf(name));
          const state = truth.isArchived ? 'archived' : truth.asks.length > 0 ? 'waiting' : truth.status;
          assert.deepEqual([row?.state, row?.session.title], [state, String(truth.step)]);
        }
        for (const name of ids.filter(gone => !world.truths.has(gone))) {
          assert.equal(world.store.find(referenceOf(name)), undefined);
        }
      }),
      { numRuns: runs(2000, 100) },
    );
  });

  it('renders a hundred sessions once, and not again while nothing happens', () => {
    const world = new World();
    const { scope = '' } = world.store.list;
    const truth: Truth = { step: 1, status: 'idle', asks: [], isArchived: false };
    for (let round = 1; round <= 50; round++) {
      const items = Array.from({ length: 100 }, (_, number) => sessionOf(`s${number}`, truth));
      world.store.acceptFirstPage(scope, { items, nextCursor: undefined, requestId: undefined }, round);
      world.drawing.draw();
    }
    assert.equal(world.draws, 1);
    world.store.facts.take('A', [sessionOf('s7', { ...truth, step: 2, status: 'running' })], 51);
    world.drawing.draw();
    assert.equal(world.draws, 2);
  });
});
