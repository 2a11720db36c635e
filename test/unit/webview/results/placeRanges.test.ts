import assert from 'node:assert/strict';
import { addPlaces, countPlaces, hasPlace, type PlaceRanges, togglePlace } from '../../../../src/webview/results/placeRanges';

describe('webview/results/placeRanges', () => {
  it('holds places as a set does, in ranges that are ascending and apart', () => {
    let state = 12_345;
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    let ranges: PlaceRanges = [];
    const set = new Set<number>();
    for (let step = 0; step < 3000; step++) {
      const place = random(60);
      if (random(2) === 0) {
        ranges = togglePlace(ranges, place);
        if (!set.delete(place)) {
          set.add(place);
        }
      } else if (random(10) === 0) {
        const to = place + 1 + random(8);
        ranges = addPlaces(ranges, [place, to]);
        for (let at = place; at < to; at++) {
          set.add(at);
        }
      }
      assert.equal(countPlaces(ranges), set.size);
      assert.ok([...set].every(at => hasPlace(ranges, at)));
      assert.ok(
        ranges.every(([from, to], at) => from < to && (at === 0 || from > (ranges[at - 1]?.[1] ?? -1))),
        JSON.stringify(ranges),
      );
    }
  });
});
