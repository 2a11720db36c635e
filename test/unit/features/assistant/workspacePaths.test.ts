import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findWorkspaceFile, writeNewFile } from '../../../../src/features/assistant/workspacePaths';

describe('features/assistant/workspacePaths', () => {
  let base: string;
  let roots: readonly { readonly name: string; readonly path: string }[];

  beforeEach(() => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), 'workspace-')));
    mkdirSync(path.join(base, 'work/sub'), { recursive: true });
    mkdirSync(path.join(base, 'work/.vscode'));
    mkdirSync(path.join(base, 'work-other'));
    writeFileSync(path.join(base, 'work/sub/a.jsonl'), 'a');
    writeFileSync(path.join(base, 'outside.jsonl'), 'secret');
    writeFileSync(path.join(base, 'work-other/x.jsonl'), 'x');
    roots = [{ name: 'work', path: path.join(base, 'work') }];
  });

  afterEach(() => rmSync(base, { recursive: true, force: true }));

  it('finds files of the workspace by relative and absolute paths', async () => {
    const file = path.join(base, 'work/sub/a.jsonl');
    for (const name of ['sub/a.jsonl', './sub/../sub/a.jsonl', file]) {
      assert.deepEqual(await findWorkspaceFile(roots, name), { name: path.join('sub', 'a.jsonl'), path: file });
    }
    const both = [...roots, { name: 'other', path: path.join(base, 'work-other') }];
    assert.equal((await findWorkspaceFile(both, 'other/x.jsonl')).path, path.join(base, 'work-other/x.jsonl'));
    assert.equal((await findWorkspaceFile(both, 'x.jsonl')).name, path.join('other', 'x.jsonl'));
  });

  it('finds nothing outside the workspace by any path, and explains what to do', async () => {
    symlinkSync(path.join(base, 'outside.jsonl'), path.join(base, 'work/link.jsonl'));
    symlinkSync(base, path.join(base, 'work/up'));
    for (const name of [
      '../outside.jsonl',
      path.join(base, 'outside.jsonl'),
      'link.jsonl',
      'up/outside.jsonl',
      '../work-other/x.jsonl',
      'sub',
      'none.jsonl',
      '',
    ]) {
      await assert.rejects(findWorkspaceFile(roots, name), { name: 'ToolRefusal', message: /Give a path relative to/ }, name);
    }
    await assert.rejects(findWorkspaceFile([], 'a.jsonl'), /Ask the user to open the folder/);
  });

  it('writes a new file, and never overwrites one', async () => {
    const write = async (file: string) => writeFileSync(file, 'new');
    assert.equal((await writeNewFile(roots, 'sub/b.jsonl', write)).file.name, path.join('sub', 'b.jsonl'));
    assert.equal(readFileSync(path.join(base, 'work/sub/b.jsonl'), 'utf8'), 'new');
    await assert.rejects(writeNewFile(roots, 'sub/a.jsonl', write), /already exists/);
    assert.equal(readFileSync(path.join(base, 'work/sub/a.jsonl'), 'utf8'), 'a');
  });

  it('writes only .jsonl files in the workspace, and no tool configuration', async () => {
    symlinkSync(path.join(base, 'work-other'), path.join(base, 'work/elsewhere'));
    symlinkSync(path.join(base, 'gone.jsonl'), path.join(base, 'work/dangling.jsonl'));
    const written: string[] = [];
    const names = [
      '../b.jsonl',
      path.join(base, 'b.jsonl'),
      'elsewhere/b.jsonl',
      '.vscode/b.jsonl',
      'b.json',
      'none/b.jsonl',
      'dangling.jsonl',
      '',
    ];
    for (const name of names) {
      await assert.rejects(
        writeNewFile(roots, name, async file => written.push(file)),
        { name: 'ToolRefusal', message: /Nothing was written/ },
        name,
      );
    }
    assert.deepEqual(written, []);
    assert.equal(existsSync(path.join(base, 'gone.jsonl')), false);
  });

  it('rejects misleading names, and names that a file system treats as a tool folder', async () => {
    mkdirSync(path.join(base, 'work/GIT~1'));
    mkdirSync(path.join(base, 'work/VSCODE~1'));
    const names = [
      'GIT~1/b.jsonl',
      'VSCODE~1/b.jsonl',
      'a\u202elnosj.exe.jsonl',
      'a\u0000.jsonl',
      'a\n.jsonl',
      'a\u001b[2J.jsonl',
      'a\u200b.jsonl',
    ];
    for (const name of [...names, 'sub\u2066/../b.jsonl', 'a\tb.jsonl', 'a\u007f.jsonl', 'a\u2028.jsonl']) {
      await assert.rejects(
        writeNewFile(roots, name, async () => assert.fail('it was written')),
        { name: 'ToolRefusal', message: /Nothing was written/ },
        JSON.stringify(name),
      );
    }
    assert.equal((await writeNewFile(roots, 'sub/größe 提案 🙂.jsonl', async () => 1)).value, 1);
  });

  it('leaves nothing behind after a failure', async () => {
    await assert.rejects(
      writeNewFile(roots, 'b.jsonl', async () => {
        throw new Error('full');
      }),
      /full/,
    );
    assert.equal(existsSync(path.join(base, 'work/b.jsonl')), false);
  });
});
