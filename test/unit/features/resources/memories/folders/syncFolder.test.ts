import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import { toFileNames } from '../../../../../../src/features/resources/memories/folders/syncFolder';
import { anyCharacter } from '../../../../../helpers/anyCharacter';
import { runs } from '../../../../../helpers/runs';
import { context } from '../../presenting';

const names = (...paths: string[]) => toFileNames(paths, context.translate);

describe('features/resources/memories/folders/copyToFolder', () => {
  it('maps plain paths to equal file paths', () => {
    const { files, refused } = names('/a.md', '/b/Größe 世界.md', '/.env');
    assert.deepEqual([...files.values(), refused.size], ['a.md', 'b/Größe 世界.md', '.env', 0]);
  });

  it('rejects paths that lead elsewhere, are hidden, or are special to a system or to tools', () => {
    const odd = [
      '/../x',
      '/a/./b',
      '/a//b',
      '/a\\b',
      '/c:',
      '/CON',
      '/nul.md',
      '/a ',
      '/a.',
      '/\u202egpj',
      '/...',
      '/x/.git/config',
      '/.VSCODE/t',
      '/GIT~1/config',
      '/x/VSCODE~1/t',
    ];
    const { files, refused } = names(...odd, 'x');
    assert.deepEqual([...files.keys()], []);
    assert.equal(refused.size, odd.length + 1);
  });

  it("rejects the second of two paths that one system treats as equal, and a file in a folder's place", () => {
    const { files, refused } = names('/A.md', '/a.md', '/b', '/b/c', '/d/e', '/D');
    assert.deepEqual([...files.keys()], ['/A.md', '/b', '/d/e']);
    assert.deepEqual([...refused.keys()], ['/a.md', '/b/c', '/D']);
  });

  it('never leaves the folder', () => {
    const part = fc.oneof(fc.constantFrom('.', '..', '/', '//', '\\', 'a', 'CON'), anyCharacter);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), parts => {
        const wanted = `/${parts.join('')}`;
        for (const file of names(wanted).files.values()) {
          assert.equal(path.posix.resolve('/folder', file), `/folder/${file}`);
          assert.equal(path.win32.resolve('c:\\folder', file), `c:\\folder\\${file.replaceAll('/', '\\')}`);
        }
      }),
      { numRuns: runs(5000) },
    );
  });
});
