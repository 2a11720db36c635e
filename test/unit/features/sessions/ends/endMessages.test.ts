import assert from 'node:assert/strict';
import type { PresentationContext } from '../../../../../src/common/text/presentation';
import { describeEnd, isTrouble } from '../../../../../src/features/sessions/ends/endMessages';
import type { ListedSession } from '../../../../../src/features/sessions/list/listedSession';
import { fillPlaces } from '../../requests/fillPlaces';

const context: PresentationContext = { translate: fillPlaces, locale: 'en', now: 0 };
const listed = (change: Partial<ListedSession>): ListedSession => ({
  connection: 'A',
  session: { id: 's', type: 'session', usage: { list_cost: { amount: '12' } } },
  state: 'idle',
  asks: [],
  name: 'Tidy up',
  ...change,
});

describe('features/sessions/ends/endMessages', () => {
  it('says what became of a session and what it cost', () => {
    const ends = [
      listed({ rest: { kind: 'done' } }),
      listed({ rest: { kind: 'judged', result: 'failed' } }),
      listed({ state: 'failed', rest: { kind: 'failed' } }),
      listed({ state: 'terminated' }),
    ];
    assert.deepEqual(
      ends.map(end => describeEnd(end, context)),
      [
        '"Tidy up" ($0.12) has ended its turn: done.',
        '"Tidy up" ($0.12) has ended its turn: outcome failed.',
        '"Tidy up" ($0.12) failed: retries used up.',
        '"Tidy up" ($0.12) was terminated.',
      ],
    );
    assert.deepEqual(ends.map(isTrouble), [false, true, true, true]);
  });
});
