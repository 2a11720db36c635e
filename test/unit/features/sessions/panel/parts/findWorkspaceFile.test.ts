import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import {
  findWorkspaceFile,
  holdsFile,
  type SearchedFolder,
  toPathNames,
} from '../../../../../../src/features/sessions/panel/parts/openInWorkspace';
import { runs } from '../../../../../helpers/runs';

/** Creates a workspace folder with these files, by relative path. */
function folderOf(name: string, place: string | undefined, files: readonly string[]): SearchedFolder {
  return { name, names: place === undefined ? undefined : toPathNames(place), holds: async names => files.includes(names.join('/')) };
}

describe('features/sessions/panel/parts/findWorkspaceFile', () => {
  const app = folderOf('app', '/home/me/app', ['src/main.ts', 'README.md', 'docs/api/README.md']);
  const lib = folderOf('lib', '/home/me/lib', ['src/lib.ts', 'README.md']);
  const look = async (text: string, folders: readonly SearchedFolder[] = [app, lib]): Promise<string> => {
    const found = await findWorkspaceFile(text, folders);
    const names = found.folders.map(({ name }) => name);
    return names.length === 1 ? `${names[0]}: ${found.names.join('/')}` : names.join(' or ') || 'none';
  };

  it('finds the longest suffix of a path that exactly one folder contains', async () => {
    assert.equal(await look('/workspace/app/src/main.ts'), 'app: src/main.ts');
    assert.equal(await look('src/lib.ts'), 'lib: src/lib.ts');
    assert.equal(await look('./src/main.ts'), 'app: src/main.ts');
    assert.equal(await look('/mnt/docs/api/README.md'), 'app: docs/api/README.md');
    assert.equal(await look('/workspace/README.md'), 'app or lib');
    assert.equal(await look('/workspace/README.md', [lib]), 'lib: README.md');
    assert.equal(await look('/etc/passwd'), 'none');
    assert.equal(await look('README.md', []), 'none');
  });

  it('finds exactly the file of a path inside a folder', async () => {
    assert.equal(await look('/home/me/app/README.md'), 'app: README.md');
    assert.equal(await look('/home/me/app/gone/README.md'), 'none');
    const inner = folderOf('api', '/home/me/app/docs/api', ['README.md']);
    assert.equal(await look('/home/me/app/docs/api/README.md', [app, inner]), 'api: README.md');
    assert.equal(await look('/home/me/application/README.md', [lib]), 'lib: README.md');
  });

  it('asks no folder for a path that may lead elsewhere', async () => {
    const asked: string[] = [];
    const all: SearchedFolder = {
      name: 'all',
      names: ['home'],
      holds: async names => {
        asked.push(names.join('/'));
        return true;
      },
    };
    for (const text of [
      ...['', '/', '..', '../x', '/shop/../../etc/passwd', 'a/.. /b', 'a\\..\\b', 'C:\\x', 'c:/x', 'file:///etc/passwd', 'x:stream'],
      ...['a\0b', 'a\nb', 'folder/', 'x'.repeat(5000), 'a/'.repeat(100).concat('b')],
    ]) {
      assert.equal(await look(text, [all]), 'none', JSON.stringify(text));
    }
    assert.deepEqual(asked, []);
  });

  it('never asks a folder for a path outside', async () => {
    const piece = fc.constantFrom('..', '.', '', 'a', '...', '.. ', 'b', '~', ':', '\\', '%2e%2e', '/', '..\\..');
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.boolean(), async (pieces, isAbsolute) => {
        const folder: SearchedFolder = {
          name: 'x',
          names: ['a'],
          holds: async names => {
            const way = path.win32.relative('C:\\root', path.win32.join('C:\\root', ...names));
            assert.ok(way !== '' && !way.startsWith('..') && !path.win32.isAbsolute(way), names.join('/'));
            const posixWay = path.posix.relative('/root', path.posix.join('/root', ...names));
            assert.ok(posixWay !== '' && posixWay.split('/')[0] !== '..', names.join('/'));
            return false;
          },
        };
        await findWorkspaceFile(`${isAbsolute ? '/' : ''}${pieces.join('/')}`, [folder]);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('finds no file that a link leads out of the folder, and nothing but files', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'find-workspace-file-'));
    try {
      const folder = path.join(root, 'in');
      await mkdir(path.join(folder, 'sub'), { recursive: true });
      await mkdir(path.join(root, 'out'));
      await Promise.all([writeFile(path.join(folder, 'sub', 'file'), 'x'), writeFile(path.join(root, 'out', 'secret'), 'x')]);
      await Promise.all([
        symlink(path.join(root, 'out'), path.join(folder, 'away')),
        symlink(path.join(folder, 'sub'), path.join(folder, 'within')),
        symlink(folder, path.join(root, 'linked')),
      ]);
      const holds = (...names: string[]): Promise<boolean> => holdsFile(folder, names);
      assert.equal(await holds('sub', 'file'), true);
      assert.equal(await holds('within', 'file'), true);
      assert.equal(await holdsFile(path.join(root, 'linked'), ['sub', 'file']), true);
      assert.equal(await holds('away', 'secret'), false);
      assert.equal(await holds('sub'), false);
      assert.equal(await holds('gone'), false);
      assert.equal(await holds('..', 'out', 'secret'), false);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});
