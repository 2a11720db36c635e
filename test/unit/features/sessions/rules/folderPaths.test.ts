import assert from 'node:assert/strict';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { canBeFolder, isInFolder, isOrdinaryFile, staysInFolder } from '../../../../../src/features/sessions/rules/folderPaths';
import { anyCharacter } from '../../../../helpers/anyCharacter';
import { withFaultyDisk } from '../../../../helpers/faultyDisk';
import { runs } from '../../../../helpers/runs';
import { inFolder } from './ruleFixtures';

describe('features/sessions/rules/folderPaths', () => {
  it('recognizes paths in a folder, in any spelling', () => {
    for (const [inner, folder] of [
      ['/work/src/a.ts', '/work/src'],
      ['/work/src/', '/work/src'],
      ['//work/./src//a', '/work/src/'],
      ['/work/src/[id]/été.ts', '/work/src'],
      ['src/a', 'src'],
      ['./src/a', './src'],
      ['/work/src/..a/...', '/work'],
    ] as const) {
      assert.equal(isInFolder(inner, folder), !inner.includes('/..a/'), `${inner} in ${folder}`);
    }
  });

  for (const [what, inner] of [
    ['a neighbour that begins the same', '/work/srcs/a'],
    ['the folder above', '/work'],
    ['..', '/work/src/../../etc/passwd'],
    ['.. that comes back', '/work/src/a/../b'],
    ['a relative path', 'work/src/a'],
    ['a home folder', '~/work/src/a'],
    ['a variable', '/work/src/$HOME/a'],
    ['a percent sign', '/work/src/%2e%2e/%2e%2e/etc'],
    ['a backslash', '/work/src\\..\\..\\etc'],
    ['a drive', 'C:/work/src/a'],
    ['an address', 'file:///work/src/a'],
    ['NUL', '/work/src/a\0/../..'],
    ['a line break', '/work/src/a\n/etc/passwd'],
    ['dots that end in a blank', '/work/src/.. /.. /etc'],
    ['blanks around', ' /work/src/a'],
    ['another case', '/Work/src/a'],
    ['look-alike letters', '/w\u043erk/src/a'],
    ['nothing', ''],
    ['no end', `/work/src/${'a/'.repeat(5000)}`],
  ] as const) {
    it(`rejects ${what}`, () => assert.equal(isInFolder(inner, '/work/src'), false));
  }

  it('rejects a path that a system could interpret differently', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('..', '.', '', 'a', '/', '\\'), fc.string({ unit: anyCharacter, maxLength: 3 }))),
        names => {
          const inner = `/work/src/${names.join('/')}`;
          if (isInFolder(inner, '/work/src')) {
            for (const system of [path.posix, path.win32]) {
              const resolved = system.resolve('/work/src', inner).replaceAll('\\', '/');
              assert.match(resolved, /^(?:[A-Z]:)?\/work\/src(?:\/|$)/, inner);
            }
          }
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  it('accepts no rule for the whole disk, or for an ambiguous folder', () => {
    for (const folder of ['/', '', '.', './', '~', '/work/..', 'C:\\work', '/work/$X']) {
      assert.equal(canBeFolder(folder), false, folder);
      assert.equal(isInFolder('/work/a', folder), false, folder);
    }
  });

  it('treats no dot file, executable or file without an extension as ordinary unless the folder names it', () => {
    for (const [inner, folder] of [
      ['/w/a.ts', '/w'],
      ['/w/src/a.test.ts', '/w/'],
      ['/w', '/w'],
      ['src/tool.py', 'src'],
      ['/home/me/.cache/x/a.json', '/home/me/.cache'],
      ['/w/.github/ci.yml', '/w/.github'],
      ['/w/gradlew', '/w/gradlew'],
    ] as const) {
      assert.ok(isInFolder(inner, folder) && isOrdinaryFile(inner, folder), `${inner} in ${folder}`);
    }
    for (const inner of [
      '/w/.git/hooks/pre-commit',
      '/w/.git/config.txt',
      '/w/sub/.GIT/a.txt',
      '/w/GIT~1/a.txt',
      '/w/VSCODE~1/a.json',
      '/w/.vscode/tasks.json',
      '/w/.env',
      '/w/.env.ts',
      '/w/a/.b/c.ts',
      '/w/node_modules/.bin/x.js',
      '/w/run.sh',
      '/w/RUN.SH',
      '/w/run.sh.',
      '/w/tool.exe',
      '/w/tool.Cmd',
      '/w/lib.so',
      '/w/bin/tool',
      '/w/Makefile',
      '/w/a.',
    ]) {
      assert.ok(isInFolder(inner, '/w'), inner);
      assert.equal(isOrdinaryFile(inner, '/w'), false, inner);
    }
    assert.equal(isOrdinaryFile('/w/.github/.git/a.txt', '/w/.github'), false);
  });

  it('allows no file that this machine can execute', () =>
    inFolder(async root => {
      const file = path.join(root, 'tool.py');
      await writeFile(file, '');
      assert.equal(await staysInFolder(file, root), true);
      await chmod(file, 0o755);
      assert.equal(await staysInFolder(file, root), false);
      assert.equal(await staysInFolder(file, file), true);
      await symlink(file, path.join(root, 'link.py'));
      assert.equal(await staysInFolder(path.join(root, 'link.py'), root), false);
    }));

  it("follows links on this machine, even those whose target doesn't exist yet", () =>
    inFolder(async root => {
      const [inner, outer] = [path.join(root, 'in'), path.join(root, 'out')];
      await mkdir(path.join(inner, 'sub'), { recursive: true });
      await mkdir(outer);
      await writeFile(path.join(outer, 'secret'), 'x');
      await symlink(outer, path.join(inner, 'away'));
      await symlink(path.join(outer, 'new'), path.join(inner, 'dangling'));
      await symlink(path.join(inner, 'sub'), path.join(inner, 'within'));
      await symlink(path.join(inner, 'loop'), path.join(inner, 'loop'));
      await symlink(inner, path.join(root, 'linked'));
      const stays = (name: string, folder = inner) => staysInFolder(path.join(folder, name), folder);
      assert.deepEqual(await Promise.all(['', 'sub', 'sub/new/file', 'new', 'within/file'].map(name => stays(name))), [
        true,
        true,
        true,
        true,
        true,
      ]);
      assert.deepEqual(
        await Promise.all(['away', 'away/secret', 'away/new/file', 'dangling', 'dangling/file', 'loop'].map(name => stays(name))),
        [false, false, false, false, false, false],
      );
      assert.equal(await stays('sub/file', path.join(root, 'linked')), true);
      assert.equal(await stays('away/file', path.join(root, 'linked')), false);
      assert.equal(await stays('file', path.join(root, 'on another machine')), true);
    }));

  it("allows nothing that the disk can't confirm", () =>
    inFolder(async root => {
      await mkdir(path.join(root, 'in'));
      const look = () => staysInFolder(path.join(root, 'in', 'file'), path.join(root, 'in'));
      assert.equal(await look(), true);
      for (const [call, code] of [
        ['realpath', 'EACCES'],
        ['realpath', 'EIO'],
        ['lstat', 'EIO'],
      ] as const) {
        for (const end of ['in', 'file']) {
          const stays = await withFaultyDisk(call, code, end, look);
          assert.equal(stays && !(call === 'lstat' && end === 'in'), false, `${call} ${code} ${end}`);
        }
      }
    }));
});
