import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { QuietStretch } from '../../../../../src/webview/session/pictures/quietStretches';
import { toAxisTicks, toFoldMarks, toTimeAxis } from '../../../../../src/webview/session/pictures/timeAxis';
import { minFold, TimeFolds } from '../../../../../src/webview/session/pictures/timeFolds';
import type { TimeSpan } from '../../../../../src/webview/session/pictures/timeSpan';
import { runs } from '../../../../helpers/runs';

const start = Date.UTC(2026, 0, 5, 9, 30);
const minute = 60_000;
const hour = 60 * minute;

/** A session with one hour of work and a wait for an answer, from minute 20 to hour 3. */
const whole = { from: start, to: start + 3 * hour + 40 * minute };
const wait: QuietStretch = { from: start + 20 * minute, to: start + 3 * hour, isWaiting: true };

interface Case {
  readonly whole: TimeSpan;
  readonly quiet: readonly QuietStretch[];
  readonly times: readonly number[];
}

/** Sessions with waits and work of all lengths, and times inside and outside the session. */
const anyCase: fc.Arbitrary<Case> = fc
  .record({
    parts: fc.array(fc.tuple(fc.nat(5 * minute), fc.nat(20 * hour), fc.boolean()), { maxLength: 12 }),
    end: fc.nat(hour),
    shares: fc.array(fc.double({ min: -0.1, max: 1.1, noNaN: true }), { minLength: 2, maxLength: 30 }),
  })
  .map(({ parts, end, shares }) => {
    let at = start;
    const quiet = parts.map(([work, length, isWaiting]) => {
      const from = at + work;
      at = from + length;
      return { from, to: at, isWaiting };
    });
    const span = { from: start, to: at + end };
    const times = shares.map(share => start + share * (span.to - start));
    return { whole: span, quiet, times: [...times, ...quiet.flatMap(({ from, to }) => [from, to])].sort((a, b) => a - b) };
  });

/** Tolerance for rounding errors of times since 1970. */
const nearly = 0.05;

function each(check: (folds: TimeFolds, given: Case) => void): void {
  fc.assert(
    fc.property(anyCase, given => check(new TimeFolds(given.whole, given.quiet), given)),
    { numRuns: runs(3000) },
  );
}

describe('webview/session/pictures/timeFolds', () => {
  it('collapses a long wait into a short break, and keeps the length of work', () => {
    const folds = new TimeFolds(whole, [wait]);
    const [fold] = folds.folds;
    assert.ok(fold !== undefined);
    assert.deepEqual([fold.from, fold.to], [wait.from, wait.to]);
    assert.equal(fold.axisSpan.from, wait.from);
    assert.ok(fold.axisSpan.to - fold.axisSpan.from < 6 * minute);
    const places = folds.toPositions(whole);
    assert.equal(Math.round(places.to - places.from), hour + Math.round(fold.axisSpan.to - fold.axisSpan.from));
    assert.equal(folds.at(fold.axisSpan.from + 1)?.from, wait.from);
    assert.equal(folds.at(fold.axisSpan.from - 1), undefined);
    assert.equal(folds.at(fold.axisSpan.to + 1), undefined);
  });

  it('collapses nothing if waits are short, absolutely or beside the work', () => {
    assert.deepEqual(new TimeFolds(whole, [{ from: start, to: start + minFold - 1, isWaiting: true }]).folds, []);
    const beside = { from: start + minute, to: start + 6 * minute, isWaiting: true };
    assert.deepEqual(new TimeFolds({ from: start, to: start + 10 * hour }, [beside]).folds, []);
  });

  it('never reverses time', () => {
    each((folds, { times }) => {
      const places = times.map(time => folds.toPosition(time));
      assert.ok(places.every((place, index) => place >= (places[index - 1] ?? place) - nearly / 10));
    });
  });

  it('maps each position back to its moment: exactly outside of breaks, and as precisely as possible inside', () => {
    each((folds, { times }) => {
      for (const time of times) {
        const place = folds.toPosition(time);
        const fold = folds.at(place);
        const allowed = fold === undefined ? nearly : nearly + (fold.to - fold.from) / 1e6;
        assert.ok(Math.abs(folds.toTime(place) - time) <= allowed, `${time} became ${folds.toTime(place)}`);
      }
    });
  });

  it("keeps the length of everything that isn't collapsed", () => {
    each((folds, { times }) => {
      for (const [index, to] of times.entries()) {
        const from = times[index - 1] ?? to;
        if (!folds.folds.some(fold => fold.from < to && fold.to > from)) {
          assert.ok(Math.abs(folds.toPosition(to) - folds.toPosition(from) - (to - from)) <= nearly);
        }
      }
    });
  });

  it('loses no time: visible parts and breaks add up to the whole', () => {
    each((folds, { whole: told }) => {
      const places = folds.toPositions(told);
      const breaks = folds.folds.reduce((sum, { axisSpan }) => sum + axisSpan.to - axisSpan.from, 0);
      const folded = folds.folds.reduce((sum, { from, to }) => sum + to - from, 0);
      assert.ok(Math.abs(places.to - places.from - breaks + folded - (told.to - told.from)) <= nearly);
      const seen = folds.between(places).reduce((sum, { from, to }) => sum + to - from, 0);
      assert.ok(Math.abs(seen + folded - (told.to - told.from)) <= nearly);
    });
  });

  it('gets shorter with each break, and gives breaks at most half of the width', () => {
    each((folds, { whole: told, quiet }) => {
      const long = quiet.filter(({ from, to }) => to - from >= minFold);
      const rest = told.to - told.from - long.reduce((sum, { from, to }) => sum + to - from, 0);
      const breaks = folds.folds.reduce((sum, { axisSpan }) => sum + axisSpan.to - axisSpan.from, 0);
      assert.ok(breaks <= Math.max(1000 * folds.folds.length, rest / 2) + nearly);
      assert.ok(folds.folds.every(({ from, to, axisSpan }) => axisSpan.to - axisSpan.from <= (to - from) / 2 + nearly));
    });
  });
});

describe('webview/session/pictures/timeAxis ticks', () => {
  it('shows true times on both sides of a break, and its end', () => {
    const folds = new TimeFolds(whole, [wait]);
    const { step, ticks } = toAxisTicks(folds.toPositions(whole), start, 900, folds);
    assert.equal(step, 10 * minute);
    assert.deepEqual(
      ticks.map(({ moment, is }) => [(moment - start) / minute, is]),
      [...[0, 10, 20].map(at => [at, 'round']), [180, 'round'], [180, 'foldEnd'], ...[190, 200, 210, 220].map(at => [at, 'round'])],
    );
  });

  it('are in order and never inside a break', () => {
    each((folds, { whole: told }) => {
      const { ticks } = toAxisTicks(folds.toPositions(told), told.from, 700, folds);
      ticks.forEach(({ x, moment }, index) => {
        assert.ok(x >= (ticks[index - 1]?.x ?? x));
        assert.ok(!folds.folds.some(({ from, to }) => moment > from + 1 && moment < to - 1));
      });
      assert.ok(ticks.length <= 20 + 2 * folds.folds.length);
    });
  });
});

describe('webview/session/pictures/timeAxis marks', () => {
  it('are placed without overlap', () => {
    each((folds, { whole: told }) => {
      const places = toFoldMarks(toTimeAxis({ axis: 'time', ...told }, folds, 500), () => '12345678901');
      places.forEach(({ left, width }, index) => {
        assert.ok(left >= 0 && left + width <= 500);
        const before = places[index - 1];
        assert.ok(before === undefined || before.left + before.width <= left);
      });
      assert.equal(places.length > 0, folds.folds.length > 0);
    });
  });

  it('include only what is in view', () => {
    const folds = new TimeFolds(whole, [wait]);
    assert.deepEqual(
      toFoldMarks(toTimeAxis({ axis: 'time', ...whole }, folds, 500, { from: start, to: start + 10 * minute }), () => '1 h'),
      [],
    );
  });
});
