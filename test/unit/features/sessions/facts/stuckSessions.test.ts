import assert from 'node:assert/strict';
import type { Session } from '../../../../../src/client/schemas/sessions';
import { toLogFacts } from '../../../../../src/features/sessions/facts/logFacts';
import { SessionFacts } from '../../../../../src/features/sessions/facts/sessionFacts';
import { lowestLimits, limitsOf, type ProgressLimits, progressProblem } from '../../../../../src/shared/session/facts/progress';
import { type GeneratedSession, generateSessions, start } from './generatedSessions';

/** Time between two reads of a session, in milliseconds. */
const step = 60_000;

/** Reads a session as a window does, and returns when it was first found to be stuck, in milliseconds since its start. */
class Watch {
  private now = start;
  readonly facts = new SessionFacts(
    { now: () => this.now, monotonic: () => this.now },
    { seen: () => [], pinned: () => [], isUnread: () => false, ruleOf: () => undefined, isDismissed: () => false },
  );

  run(generated: GeneratedSession, lowest: ProgressLimits | undefined, isJudged = true): number | undefined {
    const { id, agent, events, usage } = generated;
    const reference = { connection: 'A', sessionId: id };
    const end = Math.max(...events.map(timeOf), ...(generated.stuckAt === undefined ? [] : [generated.stuckAt])) + 30 * 60_000;
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
      if (isJudged && this.isStuck(reference, session, lowest)) {
        return time;
      }
    }
    return undefined;
  }

  private isStuck(reference: { connection: string; sessionId: string }, session: Session, lowest: ProgressLimits | undefined): boolean {
    if (lowest === undefined) {
      return this.facts.find(reference, 'A', [session])?.problem !== undefined;
    }
    const progress = this.facts.logOf(reference)?.log?.progress;
    const moment = { now: this.now, movedAt: undefined, limits: limitsOf([], lowest) };
    return session.status === 'running' && progress !== undefined && progressProblem(progress, moment) !== undefined;
  }
}

function timeOf(event: { readonly [field: string]: unknown }): number {
  return Date.parse(String(event.processed_at)) - start;
}

function isStatus({ type }: { readonly type: string }): boolean {
  return type === 'session.status_running' || type === 'session.status_idle';
}

/** `lowest` judges by other limits than the store's, without past turns. */
function measure(seed: number, lowest?: ProgressLimits): { readonly found: number; readonly missed: string[]; readonly wrong: string[] } {
  const { past, current } = generateSessions(seed);
  const watch = new Watch();
  for (const session of past) {
    watch.run(session, undefined, false);
  }
  const missed: string[] = [];
  const wrong: string[] = [];
  for (const session of current) {
    const at = watch.run(session, lowest);
    const { stuckAt, what, id } = session;
    if (stuckAt === undefined ? at !== undefined : at === undefined || Math.abs(at - stuckAt) > 120_000) {
      (stuckAt === undefined ? wrong : missed).push(`${what} (${id}), found at ${at}, stuck at ${stuckAt}`);
    }
  }
  return { found: 30 - missed.length, missed, wrong };
}

describe('100 generated sessions, 30 of them stuck', () => {
  for (const seed of [1, 2]) {
    it(`finds at least 27 within two minutes of the limit, and at most 1 of the others (seed ${seed})`, () => {
      const { found, missed, wrong } = measure(seed);
      assert.ok(found >= 27, missed.join('\n'));
      assert.ok(wrong.length <= 1, wrong.join('\n'));
    });
  }

  it('has sessions that worse rules get wrong', () => {
    assert.ok(measure(1, { ...lowestLimits, tool: lowestLimits.silent }).wrong.length > 10, 'no longer limit for an open tool');
    assert.ok(measure(1, { ...lowestLimits, repeats: 99, rounds: 99, failures: 99 }).found < 27, 'no loops');
    assert.ok(measure(1, lowestLimits).wrong.length > 1, 'no past turns and no tokens of sub-agents');
  });
});
