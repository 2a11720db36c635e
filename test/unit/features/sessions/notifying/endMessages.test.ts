import assert from 'node:assert/strict';
import type { PresentationContext } from '../../../../../src/common/text/presentation';
import { describeEnd } from '../../../../../src/features/sessions/notifying/endMessages';
import type { ListedSession } from '../../../../../src/features/sessions/facts/listedSession';
import { isTrouble } from '../../../../../src/features/sessions/list/sessionGroups';
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
        '"Tidy up" finished · $0.12',
        '"Tidy up": Goal not reached · $0.12',
        '"Tidy up" failed: retries used up · $0.12',
        '"Tidy up" failed · $0.12',
      ],
    );
    assert.deepEqual(ends.map(isTrouble), [false, true, true, true]);
  });
});
