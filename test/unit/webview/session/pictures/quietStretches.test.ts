import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Row } from '../../../../../src/shared/session/rows/rows';
import type { Lane, LaneSegment, Lanes } from '../../../../../src/webview/session/pictures/lanes';
import { type QuietStretch, toQuietStretches } from '../../../../../src/webview/session/pictures/quietStretches';
import { runs } from '../../../../helpers/runs';

const segment = (kind: LaneSegment['kind'], from: number, to: number): LaneSegment => ({ kind, from, to, key: `${kind}${from}` });
const lane = (states: readonly LaneSegment[], work: readonly LaneSegment[] = []): Lane => ({ thread: 't', name: 't', states, work });
const lanesOf = (to: number, ...lanes: readonly Lane[]): Lanes => ({ axis: 'time', from: 0, to, lanes });
const message = (at: number): Row => ({ kind: 'user', key: `m${at}`, type: 'user.message', seq: at, at, summary: '', parts: [] });
const brief = (quiet: readonly QuietStretch[]) => quiet.map(({ from, to, isWaiting }) => [from, to, isWaiting ? 'waiting' : 'nothing']);

describe('webview/session/pictures/quietStretches', () => {
  it('finds when a person was waited for, and when nothing happened', () => {
    const mainLane = lane(
      [segment('running', 0, 30), segment('waiting', 30, 90), segment('running', 90, 100), segment('idle', 100, 200)],
      [segment('model', 0, 20), segment('waiting', 20, 90), segment('tool', 90, 100)],
    );
    assert.deepEqual(brief(toQuietStretches(lanesOf(200, mainLane), [], 50)), [
      [20, 90, 'waiting'],
      [100, 200, 'nothing'],
    ]);
  });

  it('leaves out short stretches and those during which another thread works', () => {
    const waits = lane([segment('waiting', 0, 100)]);
    assert.deepEqual(toQuietStretches(lanesOf(100, waits, lane([], [segment('tool', 40, 60)])), [], 50), []);
    assert.deepEqual(brief(toQuietStretches(lanesOf(100, waits, lane([], [segment('tool', 40, 60)])), [], 40)), [
      [0, 40, 'waiting'],
      [60, 100, 'waiting'],
    ]);
  });

  it('counts a running thread as work, unless another one waits for a person', () => {
    const runner = lane([segment('running', 0, 100)]);
    assert.deepEqual(toQuietStretches(lanesOf(100, runner), [], 10), []);
    assert.deepEqual(brief(toQuietStretches(lanesOf(100, runner, lane([segment('waiting', 20, 80)])), [], 10)), [[20, 80, 'waiting']]);
  });

  it('is interrupted by an instant event or a message', () => {
    assert.deepEqual(brief(toQuietStretches(lanesOf(100, lane([], [segment('tool', 40, 40)])), [message(70)], 10)), [
      [0, 40, 'nothing'],
      [40, 70, 'nothing'],
      [70, 100, 'nothing'],
    ]);
  });

  it('depends only on times', () => {
    assert.deepEqual(toQuietStretches({ ...lanesOf(100, lane([segment('idle', 0, 100)])), axis: 'order' }, [], 10), []);
  });

  it('equals a check of every segment at each moment', () => {
    const kinds = ['idle', 'running', 'waiting', 'model', 'tool'] as const;
    const anySegment = fc
      .tuple(fc.constantFrom(...kinds), fc.nat(60), fc.nat(20))
      .map(([kind, from, length]) => segment(kind, from, from + length));
    const anyLanes = fc.array(fc.array(anySegment, { maxLength: 8 }), { maxLength: 3 });
    fc.assert(
      fc.property(anyLanes, fc.array(fc.nat(80), { maxLength: 4 }), (all, said) => {
        const quiet = toQuietStretches(lanesOf(80, ...all.map(work => lane([], work))), said.map(message), 0);
        const segments = all.flat();
        for (let at = 0.5; at < 80; at++) {
          const covers = (kind: string) => segments.some(one => one.kind === kind && one.from < at && one.to > at);
          const isQuiet = !covers('model') && !covers('tool') && (!covers('running') || covers('waiting'));
          const found = quiet.filter(({ from, to }) => from < at && at < to);
          assert.deepEqual(
            found.map(({ isWaiting }) => isWaiting),
            isQuiet ? [covers('waiting')] : [],
          );
        }
        assert.ok(quiet.every(({ from, to }) => !said.some(moment => from < moment && moment < to)));
        assert.ok(quiet.every(({ from }, index) => from >= (quiet[index - 1]?.to ?? 0)));
      }),
      { numRuns: runs(2000) },
    );
  });
});
