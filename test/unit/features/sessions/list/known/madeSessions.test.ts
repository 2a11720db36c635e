import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Session } from '../../../../../../src/client/schemas/sessions';
import { MadeSessions, type SessionSources, type WantedSessions } from '../../../../../../src/features/sessions/list/known/madeSessions';
import { SessionLooks } from '../../../../../../src/features/sessions/list/known/sessionLooks';
import { lookKey, SessionRecords } from '../../../../../../src/features/sessions/list/known/sessionRecords';
import type { ListedSession } from '../../../../../../src/features/sessions/list/listedSession';
import type { SeenSession } from '../../../../../../src/features/sessions/sessionPanels';
import { runs } from '../../../../../helpers/runs';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const connection = fc.constantFrom('A', 'A', 'B');
const status = fc.constantFrom('idle', 'running', 'terminated');
const age = fc.nat(3);
const told = fc.record({ id, connection, status, age, isArchived: fc.boolean() });
const step = fc.oneof(
  fc.record({ do: fc.constant('list' as const), ids: fc.uniqueArray(id), status, age }),
  fc.record({ do: fc.constant('relist' as const), id, status }),
  fc.record({ do: fc.constant('record' as const), told }),
  fc.record({ do: fc.constant('drop' as const), id, connection }),
  fc.record({ do: fc.constant('look' as const), id, connection, asks: fc.boolean(), hasAsked: fc.boolean() }),
  fc.record({ do: fc.constant('see' as const), id, connection, state: fc.constantFrom('idle', 'waiting', 'deleted') }),
  fc.record({ do: fc.constantFrom('close' as const, 'pin' as const, 'mark' as const), id, connection }),
  fc.record({ do: fc.constant('switch' as const), connection }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Everything that sessions are made of, changed at random. */
class World {
  private at = 0;
  readonly unread = new Set<string>();
  readonly looks = new SessionLooks({ now: () => 0, monotonic: () => this.at }, key => this.made.outdate(key));
  readonly records = new SessionRecords(key => this.made.outdate(key));
  private readonly sources: SessionSources = {
    looks: this.looks,
    records: this.records,
    ruleOf: () => undefined,
    isUnread: reference => this.unread.has(lookKey(reference)),
  };
  readonly made = new MadeSessions(this.sources);
  private wanted: WantedSessions = { connection: 'A', items: [], seen: [], pinned: [] };

  take(): readonly ListedSession[] {
    const now = this.made.take(this.wanted);
    const anew = new MadeSessions(this.sources).take(this.wanted);
    assert.deepEqual([sortedById(now.all), now.own, now.known], [sortedById(anew.all), anew.own, anew.known]);
    assert.deepEqual([now.waiting, now.asked], [now.all.filter(({ state }) => state === 'waiting'), now.all.filter(hasAsked)]);
    // Those of one age stand in any order.
    assert.deepEqual(now.all.map(ageOf), anew.all.map(ageOf));
    return now.all;
  }

  do(taken: Step): void {
    this.at++;
    const { wanted } = this;
    const reference = 'id' in taken && 'connection' in taken ? { connection: taken.connection, sessionId: taken.id } : undefined;
    const key = reference === undefined ? '' : lookKey(reference);
    const seen = wanted.seen.filter(one => lookKey(one) !== key);
    switch (taken.do) {
      case 'list':
        this.wanted = { ...wanted, items: taken.ids.map(own => sessionOf(own, taken.status, taken.age)) };
        break;
      case 'relist':
        this.wanted = { ...wanted, items: wanted.items.map(item => (item.id === taken.id ? { ...item, status: taken.status } : item)) };
        break;
      case 'record':
        this.records.take(taken.told.connection, recordedOf(taken.told), this.at);
        break;
      case 'drop':
        this.records.remove(key, this.at);
        break;
      case 'look':
        this.looks.put(
          key,
          sessionOf(taken.id, 'idle', 0),
          {
            ...{ asks: taken.asks ? [{ eventId: `ask ${this.at}`, kind: 'confirmation' }] : [], firstWords: undefined },
            rest: taken.hasAsked ? { kind: 'asked', eventId: `asked ${this.at}` } : undefined,
          },
          this.at,
        );
        break;
      case 'see':
        this.wanted = {
          ...wanted,
          seen: [...seen, { connection: taken.connection, sessionId: taken.id, view: viewOf(taken.state, this.at) }],
        };
        break;
      case 'close':
        this.wanted = { ...wanted, seen };
        break;
      case 'pin':
        this.wanted = {
          ...wanted,
          pinned: wanted.pinned.includes(key) ? wanted.pinned.filter(one => one !== key) : [...wanted.pinned, key],
        };
        break;
      case 'mark':
        if (!this.unread.delete(key)) {
          this.unread.add(key);
        }
        this.made.outdate(key);
        break;
      case 'switch':
        this.wanted = { ...wanted, connection: taken.connection };
    }
  }
}

const created = (age: number) => new Date(1_000_000 - age * 1000).toISOString();
const sessionOf = (own: string, status: string, age: number): Session => ({ id: own, type: 'session', status, created_at: created(age) });
const recordedOf = (told: { id: string; status: string; age: number; isArchived: boolean }): Session => ({
  ...sessionOf(told.id, told.status, told.age),
  ...(told.isArchived ? { archived_at: created(0) } : {}),
});
const viewOf = (state: string, at: number) =>
  ({
    ...{ state, title: `Seen ${at}`, firstWords: '', tokens: {}, outcomes: [], createdAt: 1_000_000 },
    asks: state === 'waiting' ? [{ eventId: `seen ${at}`, kind: 'confirmation', tool: 'bash', input: { text: '{}' } }] : [],
  }) as unknown as SeenSession['view'];
const hasAsked = ({ rest }: ListedSession) => rest?.kind === 'asked';
const ageOf = ({ session }: ListedSession) => session.created_at;
const sortedById = (all: readonly ListedSession[]) =>
  [...all].sort((a, b) => (a.connection + a.session.id < b.connection + b.session.id ? -1 : 1));

describe('features/sessions/list/known/madeSessions', () => {
  it('makes after any changes what it would make of everything anew', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), taken => {
        const world = new World();
        for (const one of taken) {
          world.do(one);
          world.take();
        }
      }),
      { numRuns: runs(3000, 300) },
    );
  });

  it('keeps list and rows as long as they are the same, and of many makes only the one that changed', () => {
    const world = new World();
    world.do({ do: 'list', ids: ['a', 'b', 'c'], status: 'idle', age: 1 });
    const before = world.take();
    world.do({ do: 'drop', id: 'e', connection: 'A' });
    assert.equal(world.take(), before);
    world.do({ do: 'relist', id: 'b', status: 'running' });
    const now = world.take();
    assert.deepEqual(
      now.map((listed, index) => listed === before[index]),
      [true, false, true],
    );
  });
});
