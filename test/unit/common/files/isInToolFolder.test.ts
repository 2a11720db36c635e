import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isInToolFolder, isToolFolder } from '../../../../src/common/files/isInToolFolder';

/** Names that open .git or .vscode on some file system. */
const names = [
  ...['.git', '.GIT', '.vscode', '.VSCode'],
  ...['GIT~1', 'git~1', 'GIT~2', 'GIT~10', 'VSCODE~1', 'vscode~3', 'GI7D29~1', 'VSA0F1~1'],
  ...['.git ', '.git.', '.git . .', 'GIT~1.', '.git::$INDEX_ALLOCATION', '.vscode:x:$DATA', 'git~1::$INDEX_ALLOCATION'],
  ...['.g\u200cit', '\ufeff.git', '.v\u00adscode', '．git', '.vſcode'],
];

describe('common/files/isInToolFolder', () => {
  for (const name of names) {
    it(`recognizes ${JSON.stringify(name)} as a tool folder, at any depth`, async () => {
      assert.equal(isToolFolder(name), true);
      assert.equal(await isInToolFolder(path.join('/work', name, 'file')), true);
      assert.equal(await isInToolFolder(`C:\\work\\${name}\\hooks\\file`), true);
    });
  }

  it('ignores other names', () => {
    for (const name of ['git', 'vscode', '.github', '.gitignore', 'a.git', 'GIT~', 'GITHUB~1', 'digit~1', 'x~1', 'GI7D29', '.', '..', '']) {
      assert.equal(isToolFolder(name), false, name);
    }
  });

  it('follows links', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tools-'));
    try {
      mkdirSync(path.join(folder, '.git/hooks'), { recursive: true });
      symlinkSync(path.join(folder, '.git/hooks'), path.join(folder, 'plain'));
      assert.equal(await isInToolFolder(path.join(folder, 'plain/file')), true);
      assert.equal(await isInToolFolder(path.join(folder, 'plain/new/newer/file')), true);
      assert.equal(await isInToolFolder(path.join(folder, 'file')), false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
