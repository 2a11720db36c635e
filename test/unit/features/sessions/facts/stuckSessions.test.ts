import assert from 'node:assert/strict';
import type { Session } from '../../../../../src/client/resources/sessions';
import type { SessionReference } from '../../../../../src/contributions';
import { toLogFacts } from '../../../../../src/features/sessions/facts/askLog';
import { SessionFacts } from '../../../../../src/features/sessions/facts/sessionFacts';
import { lowestLimits, progressProblem, type TurnExtremes } from '../../../../../src/shared/session/facts/progress';
import { type GeneratedSession, generateSessions, start } from './generatedSessions';

/** Time between two reads of a session, in milliseconds. */
const step = 60_000;

type Judge = 'store' | TurnExtremes;

/** Reads a session as a window does. */
class Watch {
  private now = start;
  readonly facts = new SessionFacts(
    { now: () => this.now, monotonic: () => this.now },
    { panelSessions: () => [], pinned: () => [], ruleOf: () => undefined, isDismissed: () => false },
  );

  /** Returns when each judge first found a session stuck, in milliseconds since the start of the session. */
  run(generated: GeneratedSession, judges: readonly Judge[]): readonly (number | undefined)[] {
    const { id, agent, events, usage, stuckAt = 0 } = generated;
    const reference = { connection: 'A', sessionId: id };
    const found: (number | undefined)[] = judges.map(() => undefined);
    const end = Math.max(...events.map(timeOf), stuckAt) + 5 * 60_000;
    let read = -1;
    for (let time = 0; time < end; time += step) {
      this.now = start + time;
      const known = events.filter(event => timeOf(event) <= time);
      const latest = usage.findLast(({ at }) => at <= time);
      const session: Session = {
        ...{ id, type: 'session', status: known.findLast(isStatus)?.type === 'session.status_idle' ? 'idle' : 'running' },
        agent: { type: 'agent', id: agent, name: agent, version: 1, model: 'm' },
        usage: { input_tokens: latest?.tokens ?? 0, list_cost: { amount: String(Math.round(latest?.cents ?? 0)), currency: 'USD' } },
      };
      this.facts.take('A', [session], this.now);
      if (known.length > read) {
        read = known.length;
        const before = this.facts.logOf(reference)?.log;
        this.facts.setLog(reference, session, toLogFacts({ events: known.slice(-50), isWhole: read <= 50 }, before), this.now);
      }
      for (const [index, judge] of judges.entries()) {
        found[index] ??= this.isStuck(reference, session, judge) ? time : undefined;
      }
    }
    return found;
  }

  private isStuck(reference: SessionReference, session: Session, judge: Judge): boolean {
    if (judge === 'store') {
      return this.facts.find(reference, 'A', [session])?.problem !== undefined;
    }
    const progress = this.facts.logOf(reference)?.log?.progress;
    const moment = { now: this.now, movedAt: undefined, limits: judge };
    return session.status === 'running' && progress !== undefined && progressProblem(progress, moment) !== undefined;
  }
}

function timeOf(event: { readonly [field: string]: unknown }): number {
  return Date.parse(String(event.processed_at)) - start;
}

function isStatus({ type }: { readonly type: string }): boolean {
  return type === 'session.status_running' || type === 'session.status_idle';
}

/** Returns for each judge the stuck sessions that it didn't report in time, and the healthy sessions that it reported. */
function measure(seed: number, ...judges: readonly Judge[]): readonly { readonly missed: string[]; readonly wrong: string[] }[] {
  const { past, current } = generateSessions(seed);
  const watch = new Watch();
  for (const session of past) {
    watch.run(session, []);
  }
  const results = judges.map(() => ({ missed: [] as string[], wrong: [] as string[] }));
  for (const session of current) {
    const { stuckAt, what, id } = session;
    for (const [index, at] of watch.run(session, judges).entries()) {
      const isWrong = stuckAt === undefined ? at !== undefined : at === undefined || Math.abs(at - stuckAt) > 120_000;
      if (isWrong) {
        results[index]?.[stuckAt === undefined ? 'wrong' : 'missed'].push(`${what} (${id}), found at ${at}, stuck at ${stuckAt}`);
      }
    }
  }
  return results;
}

describe('100 generated sessions, 30 of them stuck', () => {
  for (const seed of [1, 2]) {
    it(`finds at least 27 within two minutes after the limit, and at most 1 of the others (seed ${seed})`, () => {
      const [store] = measure(seed, 'store');
      assert.ok(store !== undefined && store.missed.length <= 3, store?.missed.join('\n'));
      assert.ok(store.wrong.length <= 1, store.wrong.join('\n'));
    });
  }

  it('contains sessions that weaker rules misjudge', () => {
    const hasty = { ...lowestLimits, tool: lowestLimits.silent };
    const blind = { ...lowestLimits, repeats: 99, rounds: 99, failures: 99 };
    const [noTools, noLoops, noPast] = measure(1, hasty, blind, lowestLimits);
    assert.ok((noTools?.wrong.length ?? 0) > 10, 'no longer limit for an open tool');
    assert.ok((noLoops?.missed.length ?? 0) > 3, 'no loops');
    assert.ok((noPast?.wrong.length ?? 0) > 1, 'no past turns and no tokens of sub-agents');
  });
});
