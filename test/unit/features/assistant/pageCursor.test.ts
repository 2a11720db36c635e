import assert from 'node:assert/strict';
import { nextInPage, readPageCursor } from '../../../../src/features/assistant/pageCursor';

describe('features/assistant/pageCursor', () => {
  it('goes on in the middle of a page, at its end, and ends with the last', () => {
    const next = nextInPage({ cursor: 'c1', skip: 0 }, [0, 3, 7], 'c2');
    assert.deepEqual([next(0), next(1), next(2), next(3)], ['0:c1', '3:c1', '7:c1', '0:c2']);
    assert.equal(nextInPage({ cursor: undefined, skip: 0 }, [0], undefined)(1), undefined);
  });

  it('reads what it wrote, whatever the cursor of the service is', () => {
    for (const cursor of ['a:b', 'x\ny', '7:', undefined]) {
      const text = nextInPage({ cursor, skip: 2 }, [4], undefined)(0);
      assert.deepEqual(readPageCursor(text), { cursor, skip: 4 });
    }
  });

  it('takes anything else for the begin', () => {
    for (const text of [undefined, '', 'c1', '-1:c', '99999999:c']) {
      assert.deepEqual(readPageCursor(text), { cursor: undefined, skip: 0 });
    }
  });
});
