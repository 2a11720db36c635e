import assert from 'node:assert/strict';
import { folderOf, memoryPathProblem } from '../../../src/contract/memoryPath';

describe('contract/memoryPath', () => {
  it('accepts valid paths', () => {
    for (const path of ['/a', '/a/b.md', '/Größe/世界', '/.hidden', '/a b', '/...', `/${'é'.repeat(511)}x`, '/\u202ex', '/a\\b', '/%2e']) {
      assert.equal(memoryPathProblem(path), undefined, path);
    }
  });

  it('returns the problem of an invalid path', () => {
    const wrong = { a: 'start', '': 'start', '/': 'empty', '/a/': 'segments', '/a//b': 'segments', '/../a': 'segments', '/.': 'segments' };
    const hidden = {
      '/a\u0000': 'characters',
      '/a\u2028b': 'characters',
      '/a\nb': 'characters',
      '/\ud800': 'characters',
      '/e\u0301': 'form',
    };
    for (const [path, problem] of Object.entries({ ...wrong, ...hidden, [`/${'é'.repeat(512)}`]: 'long' })) {
      assert.equal(memoryPathProblem(path), problem, JSON.stringify(path));
    }
  });

  it('returns the folder of a path', () => {
    assert.deepEqual(['/a', '/a/b', '/a/b/c'].map(folderOf), ['/', '/a', '/a/b']);
  });
});
