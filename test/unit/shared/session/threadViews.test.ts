import assert from 'node:assert/strict';
import { threadNames } from '../../../../src/shared/session/threadViews';

describe('shared/session/threadViews', () => {
  it('names threads by their agents, numbers several of one agent, and leaves out the main one', () => {
    const threads = [
      { id: 'a', name: 'Checker', isPrimary: true },
      { id: 'b', name: 'Checker', isPrimary: false },
      { id: 'c', name: '', isPrimary: false },
      { id: 'd', name: 'Writer', isPrimary: false },
      { id: 'e', name: 'Checker', isPrimary: false },
    ];
    assert.deepEqual([...threadNames(threads)].sort(), [
      ['b', 'Checker 1'],
      ['c', 'c'],
      ['d', 'Writer'],
      ['e', 'Checker 2'],
    ]);
  });
});
