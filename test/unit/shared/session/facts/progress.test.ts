import assert from 'node:assert/strict';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import {
  limitsOf,
  lowestLimits,
  noProgress,
  type Progress,
  progressAfter,
  progressProblem,
  withCost,
} from '../../../../../src/shared/session/facts/progress';
import { describeProgress } from '../../../../../src/shared/session/facts/sessionState';
import { noTurn, turnAfter } from '../../../../../src/shared/session/facts/turn';
import { fillPlaceholders } from '../../../features/requests/fillPlaceholders';

const start = Date.UTC(2026, 10, 1, 9);
const minute = 60_000;

/** A log with one event a second. */
class Log {
  readonly events: TranscriptEvent[] = [];
  private calls = 0;

  add(type: string, fields: object = {}): this {
    const at = new Date(start + this.events.length * 1000).toISOString();
    this.events.push({ type, id: `e${this.events.length}`, processed_at: at, ...fields });
    return this;
  }

  begin(): this {
    return this.add('user.message', { content: [{ type: 'text', text: 'Go on' }] }).add('session.status_running');
  }

  /** Adds a call, and its result unless `result` is `undefined`. */
  call(input: string, result?: string, isError = false): this {
    const id = `call${++this.calls}`;
    this.add('agent.tool_use', { id, name: 'bash', input: { command: input } });
    return result === undefined
      ? this
      : this.add('agent.tool_result', { tool_use_id: id, content: [{ type: 'text', text: result }], is_error: isError });
  }

  get progress(): Progress {
    let turn = noTurn;
    return this.events.reduce((progress, event) => {
      turn = turnAfter(turn, event, undefined);
      return progressAfter(progress, event, undefined, turn);
    }, noProgress);
  }

  /** Returns the problem that is reported `minutes` minutes after the last event. */
  told(minutes = 0, movedAt?: number): string | undefined {
    const now = start + this.events.length * 1000 + minutes * minute;
    const problem = progressProblem(this.progress, { now, movedAt, limits: limitsOf(this.progress.turns) });
    return problem && describeProgress(problem, fillPlaceholders, 'en');
  }
}

describe('shared/session/facts/progress', () => {
  const turn = () => new Log().begin();

  it('reports silence after 8 minutes, after 20 with an open tool, and never for an idle session', () => {
    assert.equal(turn().told(7.9), undefined);
    assert.equal(turn().told(9), 'no progress for 9 min');
    assert.equal(turn().told(200), 'no progress for 3 hours');
    assert.equal(turn().call('make').told(19), undefined);
    assert.equal(turn().call('make').told(21), 'no progress for 21 min');
    assert.equal(
      turn()
        .add('session.status_idle', { stop_reason: { type: 'end_turn' } })
        .told(99),
      undefined,
    );
    const asks = { type: 'requires_action', event_ids: ['call1'] };
    assert.equal(turn().call('make').add('session.status_idle', { stop_reason: asks }).told(99), undefined);
    // `movedAt` is later than the last event, so the session isn't silent yet.
    assert.equal(turn().told(9, start + 5 * minute), undefined);
  });

  it('reports three equal calls without a new result, until there is one', () => {
    const log = turn().call('npm test', '2 fail in 3.1 s').call('npm test', '2 fail in 4 s');
    assert.equal(log.told(), undefined);
    assert.equal(log.call('npm test').told(), 'same call 3 times: bash npm test');
    assert.equal(turn().call('npm test', '2 fail').call('npm test', '1 fails').call('npm test', 'none fails').told(), undefined);
    const moved = turn().call('a', 'x').call('a', 'x').call('a', 'x').call('b', 'y');
    assert.equal(moved.told(), undefined);
    // After a message of the user, equal calls are counted from 0.
    assert.equal(turn().call('a', 'x').call('a', 'x').add('user.message').call('a', 'x').told(), undefined);
  });

  it('keeps the ID of a continuing problem, and gives a new problem a new one', () => {
    const episodeOf = (log: Log) => progressProblem(log.progress, { now: start, movedAt: undefined, limits: lowestLimits })?.episode;
    const log = turn().call('a', 'x').call('a', 'x').call('a', 'x');
    const first = episodeOf(log);
    assert.ok(first !== undefined);
    assert.equal(episodeOf(log.call('a', 'x')), first);
    assert.equal(episodeOf(log.call('b', 'y')), undefined);
    log.call('a', 'x').call('a', 'x').call('a', 'x');
    assert.notEqual(episodeOf(log), first);
  });

  it('reports two calls that alternate four times, and three equal failures of one tool', () => {
    const log = turn();
    for (let time = 0; time < 4; time++) {
      assert.equal(log.told(), undefined);
      log.call('a', 'x').call('b', 'y');
    }
    assert.equal(log.told(), 'alternating between two calls');
    const failing = turn().call('a', 'no such file', true).call('b', 'no such file', true);
    assert.equal(failing.told(), undefined);
    assert.equal(failing.call('c', 'no such file', true).told(), '3 similar failures: no such file');
    assert.equal(failing.call('d', 'fine').told(), undefined);
  });

  it('reports the known cost since the last message', () => {
    const log = turn();
    const first = withCost(log.progress, 100, 'USD', undefined);
    const later = withCost(log.call('a', 'x').progress, 320, 'USD', first);
    const problem = progressProblem(later, { now: start, movedAt: undefined, limits: lowestLimits });
    assert.equal(problem && describeProgress(problem, fillPlaceholders, 'en'), 'spent $2.20 without a message');
    const said = withCost(log.add('agent.message', { content: [{ type: 'text', text: 'Half done' }] }).progress, 320, 'USD', later);
    assert.equal(progressProblem(said, { now: start, movedAt: undefined, limits: lowestLimits }), undefined);
    const told = turn().add('session.usage', { usage: { list_cost: { amount: '50', currency: 'USD' } } });
    assert.equal(told.told(), undefined);
    told.call('a', 'x').add('session.usage', { usage: { list_cost: { amount: '250', currency: 'USD' } } });
    assert.equal(told.told(), 'spent $2.00 without a message');
  });

  it('derives its limits from turns that ended well, and never goes below the minimum', () => {
    const usual = turn().call('a', 'x').call('a', 'x').call('a', 'x').call('a', 'x');
    usual.add('session.status_idle', { stop_reason: { type: 'end_turn' } }).begin();
    assert.equal(usual.call('a', 'x').call('a', 'x').call('a', 'x').call('a', 'x').told(), undefined);
    assert.equal(usual.call('a', 'x').told(), 'same call 5 times: bash a');
    const failed = turn().call('a', 'x').call('a', 'x').call('a', 'x').add('user.interrupt');
    failed.add('session.status_idle', { stop_reason: { type: 'end_turn' } });
    assert.deepEqual(failed.progress.turns, []);
    assert.deepEqual(limitsOf([]), lowestLimits);
  });

  it("ignores a parent whose sub-agent works or can't be seen", () => {
    const child = { session_thread_id: 'child', agent_name: 'helper' };
    const parent = () => turn().add('session.thread_created', child).add('session.thread_status_running', child);
    assert.equal(parent().told(60), undefined);
    assert.equal(
      parent()
        .add('agent.tool_use', { ...child, name: 'grep', input: {} })
        .told(19),
      undefined,
    );
    assert.equal(
      parent()
        .add('agent.tool_use', { ...child, name: 'grep', input: {} })
        .told(21),
      'no progress for 21 min',
    );
    // The session's token count shows whether the sub-agent makes progress.
    assert.equal(parent().told(60, start + 50 * minute), undefined);
    assert.match(parent().told(60, start + 10 * minute) ?? '', /^no progress for 50 min/);
    const rested = parent().add('session.thread_status_idle', child);
    assert.equal(rested.told(9), 'no progress for 9 min');
  });

  it('counts a running workflow as an open tool', () => {
    const run = { workflow_run_id: 'w' };
    const log = turn().add('workflow_run.created', run).add('workflow_run.status_running', run);
    assert.equal(log.told(19), undefined);
    assert.equal(log.add('workflow_run.status_idle', run).told(9), 'no progress for 9 min');
  });
});
