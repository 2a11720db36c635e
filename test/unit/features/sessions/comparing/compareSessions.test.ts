import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toStep, toTurns } from '../../../../../src/features/sessions/comparing/comparedTurns';
import {
  type ComparedPoint,
  compareSessions,
  isDifference,
  sumOfTokens,
} from '../../../../../src/features/sessions/comparing/compareSessions';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { runs } from '../../../../helpers/runs';
import { eventLogs } from '../../../shared/session/eventLogs';
import { atOnce, said, toLog } from './comparedLogs';

const logOf = (events: readonly TranscriptEvent[]): Transcript => {
  const transcript = new Transcript();
  transcript.append(events);
  return transcript;
};
const turnsOf = (events: readonly TranscriptEvent[]) => atOnce(toTurns(logOf(events)));
const compare = (one: readonly TranscriptEvent[], other: readonly TranscriptEvent[]) =>
  atOnce(compareSessions(turnsOf(one), turnsOf(other)));
/** Describes a point as `kind words | words: differences`. */
const tell = ({ kind, one, other, differences }: ComparedPoint) =>
  `${kind} ${one?.words ?? '-'} | ${other?.words ?? '-'}: ${differences.join(' ')}`;
const told = (one: readonly TranscriptEvent[], other: readonly TranscriptEvent[]) =>
  compare(one, other).points.filter(isDifference).map(tell);

describe('features/sessions/comparing/compareSessions', () => {
  it('puts every step of a row into one turn, in order, and starts with the first event', () => {
    fc.assert(
      fc.property(eventLogs, events => {
        const log = logOf(events);
        const turns = atOnce(toTurns(log));
        const keys = turns.flatMap(({ steps }) => steps.map(({ key }) => key));
        assert.deepEqual(
          keys,
          [...log.wholeRows()].flatMap(row => toStep(row, log)?.key ?? []),
        );
        const starts = turns.map(({ key }) => log.rows.findIndex(row => row.key === key));
        assert.ok(starts.every((start, at) => (at === 0 ? start === 0 : start > (starts[at - 1] ?? 0))));
      }),
      { numRuns: runs(500) },
    );
  });

  it('finds no differences between a session and itself', () => {
    fc.assert(
      fc.property(eventLogs, events => {
        const { points } = compare(events, events);
        assert.ok(points.every(({ one, other, differences }) => one !== undefined && other !== undefined && differences.length === 0));
        const turns = turnsOf(events);
        assert.equal(points.length, turns.length + turns.reduce((sum, { steps }) => sum + steps.length, 0));
      }),
      { numRuns: runs(300) },
    );
  });

  it('lists every step of both sessions once, in order', () => {
    fc.assert(
      fc.property(eventLogs, eventLogs, (one, other) => {
        const { points } = compare(one, other);
        for (const [side, events] of [
          ['one', one],
          ['other', other],
        ] as const) {
          const steps = points.flatMap(point => (point.kind === 'turn' ? [] : (point[side]?.key ?? [])));
          assert.deepEqual(
            steps,
            turnsOf(events).flatMap(turn => turn.steps.map(({ key }) => key)),
          );
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('finds changed arguments, changed results, extra calls, and another answer', () => {
    const one = toLog(said('Mend the test'), ['bash', { command: 'npm test' }, 'failed'], ['read', { path: 'a.ts' }, 'x'], 'Done.');
    const other = toLog(
      said('Mend the test'),
      ['bash', { command: 'npm run test' }, 'failed'],
      ['read', { path: 'a.ts' }, 'y'],
      ['write', { path: 'a.ts' }, 'ok'],
      'All is well.',
    );
    assert.deepEqual(told(one, other), [
      'turn Mend the test | Mend the test: calls',
      'call npm test | npm run test: arguments',
      'call a.ts | a.ts: result',
      'call - | a.ts: onlyB',
      'answer Done. | All is well.: text',
    ]);
  });

  it('ignores the order of keys in arguments', () => {
    const one = toLog(said('Go'), ['edit', { path: 'a', text: { x: 1, y: 2 } }, 'ok']);
    const other = toLog(said('Go'), ['edit', { text: { y: 2, x: 1 }, path: 'a' }, 'ok']);
    assert.deepEqual(told(one, other), []);
  });

  it('distinguishes pictures that differ only in their data', () => {
    const picture = (data: string) => [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }];
    const message = (data: string): TranscriptEvent => ({ type: 'user.message', id: data, content: picture(data) });
    assert.deepEqual(
      compare([message('AAAA')], [message('AAAB')]).points.flatMap(({ differences }) => differences),
      ['text'],
    );
  });

  it("pairs turns by the user's words, not by number, and lists an unpaired turn once", () => {
    const one = toLog(said('First'), 'One.', said('Last'), 'Three.');
    const other = toLog(said('First'), 'One.', said('Between'), ['bash', { command: 'ls' }, ''], 'Two.', said('Last'), 'Three.');
    assert.deepEqual(told(one, other), ['turn - | Between: onlyB']);
    assert.deepEqual(
      compare(one, other).points.flatMap(({ kind, turns }) => (kind === 'turn' ? [turns] : [])),
      [
        [0, 0],
        [undefined, 1],
        [1, 2],
      ],
    );
  });

  it('treats consecutive messages as one turn, and starts another after an action', () => {
    assert.equal(turnsOf(toLog(said('a'), said('b'), 'Yes.')).length, 1);
    assert.equal(turnsOf(toLog(said('a'), 'Yes.', said('b'))).length, 2);
    assert.deepEqual(turnsOf([]), []);
  });

  it('compares the state of a call and the end of a turn', () => {
    const call: TranscriptEvent = { type: 'agent.tool_use', id: 'c', name: 'bash', input: {} };
    const result = (is_error: boolean): TranscriptEvent => ({
      type: 'agent.tool_result',
      id: 'r',
      tool_use_id: 'c',
      content: 'x',
      is_error,
    });
    const idle = (type: string): TranscriptEvent => ({ type: 'session.status_idle', id: 'i', stop_reason: { type } });
    const [first] = said('Go');
    assert.ok(first);
    assert.deepEqual(told([first, call, result(false), idle('end_turn')], [first, call, result(true), idle('retries_exhausted')]), [
      'turn Go | Go: end',
      'call  | : state',
    ]);
  });

  it('counts tokens of each turn, and reports more tokens from 100 and a tenth on', () => {
    const model = (id: string, input: number): TranscriptEvent => ({
      type: 'span.model_request_end',
      id,
      model_usage: { input_tokens: input, output_tokens: 10 },
    });
    const log = (input: number): readonly TranscriptEvent[] =>
      [...said('a'), model('m1', 1000), ...toLog('Yes.'), ...said('b'), model('m2', input), ...toLog('No.'), ...said('c')].map(
        (event, place) => ({ ...event, id: `e${place}` }),
      );
    assert.deepEqual(
      turnsOf(log(500)).map(({ tokens }) => sumOfTokens(tokens)),
      [1010, 510, undefined],
    );
    assert.deepEqual(told(log(500), log(590)), []);
    assert.deepEqual(told(log(500), log(700)), ['turn b | b: tokens']);
    // Relative to 50,000 tokens, 200 more are not a difference.
    assert.deepEqual(told(log(50_000), log(50_200)), []);
  });

  it('compares two logs of 50,000 events in parts, and says so', () => {
    const most = runs(25_000, 2_500);
    const calls = (changed: number) =>
      toLog(
        said('Go'),
        ...Array.from(
          { length: most },
          (_, place) => ['bash', { command: `echo ${place} ${place % changed === 0 ? changed : ''}` }, 'ok'] as const,
        ),
      );
    const { points, isPiecewise } = compare(calls(500), calls(700));
    assert.equal(isPiecewise, true);
    const differing = points.filter(isDifference);
    assert.ok(differing.every(({ differences }) => differences.join(' ') === 'arguments'));
    assert.equal(differing.length, Array.from({ length: most }).filter((_, place) => place % 500 === 0 || place % 700 === 0).length);
  });
});
