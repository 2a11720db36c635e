import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { Debounce } from '../../../src/common/debounce';

describe('common/debounce', () => {
  it('runs only the last task of a key, and nothing after it was disposed', async () => {
    const debounce = new Debounce();
    const done: string[] = [];
    for (const work of ['a', 'b']) {
      debounce.run('one', 1, () => done.push(work));
    }
    debounce.run('other', 1, () => done.push('c'));
    debounce.run('canceled', 1, () => done.push('d'));
    debounce.cancel('canceled');
    await pause(20);
    debounce.run('late', 1, () => done.push('e'));
    debounce.dispose();
    await pause(20);
    assert.deepEqual(done, ['b', 'c']);
  });
});
