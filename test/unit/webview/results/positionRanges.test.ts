import assert from 'node:assert/strict';
import {
  addPositions,
  countPositions,
  hasPosition,
  type PositionRanges,
  togglePosition,
} from '../../../../src/webview/results/positionRanges';

describe('webview/results/positionRanges', () => {
  it('stores positions like a set, in ascending separate ranges', () => {
    let state = 12_345;
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    let ranges: PositionRanges = [];
    const set = new Set<number>();
    for (let step = 0; step < 3000; step++) {
      const place = random(60);
      if (random(2) === 0) {
        ranges = togglePosition(ranges, place);
        if (!set.delete(place)) {
          set.add(place);
        }
      } else if (random(10) === 0) {
        const to = place + 1 + random(8);
        ranges = addPositions(ranges, [place, to]);
        for (let at = place; at < to; at++) {
          set.add(at);
        }
      }
      assert.equal(countPositions(ranges), set.size);
      assert.ok([...set].every(at => hasPosition(ranges, at)));
      assert.ok(
        ranges.every(([from, to], at) => from < to && (at === 0 || from > (ranges[at - 1]?.[1] ?? -1))),
        JSON.stringify(ranges),
      );
    }
  });
});
