import assert from 'node:assert/strict';
import { nextInPage, readPageCursor } from '../../../../src/features/assistant/pageCursor';

describe('features/assistant/pageCursor', () => {
  it('continues in the middle and at the end of a page, and ends with the last one', () => {
    const next = nextInPage({ cursor: 'c1', skip: 0 }, [0, 3, 7], 'c2');
    assert.deepEqual([next(0), next(1), next(2), next(3)], ['0:c1', '3:c1', '7:c1', '0:c2']);
    assert.equal(nextInPage({ cursor: undefined, skip: 0 }, [0], undefined)(1), undefined);
  });

  it('reads its own cursors, for any cursor of the service', () => {
    for (const cursor of ['a:b', 'x\ny', '7:', undefined]) {
      const text = nextInPage({ cursor, skip: 2 }, [4], undefined)(0);
      assert.deepEqual(readPageCursor(text), { cursor, skip: 4 });
    }
  });

  it('treats anything else as the start', () => {
    for (const text of [undefined, '', 'c1', '-1:c', '99999999:c']) {
      assert.deepEqual(readPageCursor(text), { cursor: undefined, skip: 0 });
    }
  });
});
