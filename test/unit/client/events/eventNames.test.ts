import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Tail } from '../../../../src/client/events/eventNames';
import { runs } from '../../../helpers/runs';

describe('client/events/eventNames', () => {
  const events = (text: string) => [...text].map(letter => ({ type: 'user.message', text: letter }));

  it('finds the longest prefix that repeats the latest events', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 }),
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 }),
        (earlier, next) => {
          const tail = new Tail();
          for (const event of events(earlier)) {
            tail.add(event);
          }
          const longest = [...next, ''].findLastIndex((_, count) => earlier.endsWith(next.slice(0, count)));
          assert.equal(tail.overlap(events(next)), longest);
        },
      ),
      { numRuns: runs(2000, 500) },
    );
  });
});
