import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { useExtension, withSetting } from '../../useExtension';
import { editLine, linesOf, replaceIn, whole, writeUnasked } from './requestEditorUnderTest';

describe('the request editor and its file', () => {
  const files = useExtension('requestEditor-files');

  it('edits a line of a file that no editor has open, of any size', async () => {
    const file = files.at('huge-edit.jsonl');
    const piece = Array.from({ length: 20_000 }, (_, index) => whole(`ID${index}`, 'word '.repeat(18))).join('\n');
    writeFileSync(file, '');
    for (let part = 0; part < 14; part++) {
      appendFileSync(file, `${piece.replaceAll('"ID', `"part-${part}-`)}\n`);
    }
    const before = readFileSync(file);
    assert.ok(before.length > 50 * 1024 * 1024, 'no extension is given it as a document: see features/requests');
    const lens = await editLine(vscode.Uri.file(file), 100_001);
    assert.match(lens.uri.path, /part-5-1\.request\.json$/);
    await replaceIn(lens, '64', '65');
    assert.equal(await lens.save(), true);
    const at = before.indexOf('64', before.indexOf('"part-5-1"'));
    before.write('65', at);
    assert.ok(before.equals(readFileSync(file)));
    rmSync(file);
  });

  it('follows a closed file that is changed, and a renamed one @ci', async () => {
    files.write('closed.jsonl', `${whole('a')}\n${whole('b')}\n`);
    const lens = await editLine(vscode.Uri.file(files.at('closed.jsonl')), 1);
    files.write('closed.jsonl', `${whole('new')}\n${whole('a')}\n${whole('b')}`);
    await replaceIn(lens, '64', '65');
    assert.equal(await lens.save(), true);
    assert.equal(files.read('closed.jsonl'), `${whole('new')}\n${whole('a')}\n${whole('b').replace('64', '65')}`);

    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(vscode.Uri.file(files.at('closed.jsonl')), vscode.Uri.file(files.at('renamed.jsonl')), { overwrite: true });
    assert.equal(await vscode.workspace.applyEdit(edit), true);
    await replaceIn(lens, '65', '66');
    assert.equal(await lens.save(), true);
    assert.match(files.read('renamed.jsonl'), /66/);
    renameSync(files.at('renamed.jsonl'), files.at('elsewhere.jsonl'));
    await replaceIn(lens, '66', '67');
    assert.equal(await lens.save(), false);
    assert.ok(lens.isDirty && lens.getText().includes('67'));
  });

  it("doesn't write into a file that is read-only in the editor", async () => {
    await withSetting('files.readonlyInclude', { '**/kept.jsonl': true }, async () => {
      const source = await files.open('kept.jsonl', linesOf([whole('a')]));
      const lens = await editLine(source, 0);
      await replaceIn(lens, '64', '65');
      await assert.rejects(writeUnasked(lens), /kept\.jsonl is read-only/);
      assert.equal(await lens.save(), false);
      assert.ok(lens.isDirty);
      assert.equal(source.getText(), `${whole('a')}\n`);
    });
  });

  it("stays unsaved while its source can't be saved @ci", async () => {
    const source = await files.open('locked.jsonl', linesOf([whole('a')]));
    const lens = await editLine(source, 0);
    await replaceIn(lens, '64', '65');
    // Replaces the file by a folder, which not even root can overwrite.
    renameSync(files.at('locked.jsonl'), files.at('aside.jsonl'));
    mkdirSync(files.at('locked.jsonl'));
    assert.equal(await lens.save(), false);
    assert.ok(lens.isDirty);
    assert.equal(await lens.save(), false);
    assert.ok(lens.isDirty);
    rmdirSync(files.at('locked.jsonl'));
    renameSync(files.at('aside.jsonl'), files.at('locked.jsonl'));
    assert.equal(await lens.save(), true);
    assert.equal(files.read('locked.jsonl'), `${whole('a').replace('64', '65')}\n`);
    assert.equal(source.isDirty, false);
  });

  it('leaves a closed file unchanged that may not be written @ci', async () => {
    files.write('closedLocked.jsonl', `${whole('a')}\n`);
    chmodSync(files.at('closedLocked.jsonl'), 0o444);
    const lens = await editLine(vscode.Uri.file(files.at('closedLocked.jsonl')), 0);
    await replaceIn(lens, '64', '65');
    assert.equal(await lens.save(), false);
    assert.ok(lens.isDirty);
    assert.equal(files.read('closedLocked.jsonl'), `${whole('a')}\n`);
    chmodSync(files.at('closedLocked.jsonl'), 0o644);
    assert.equal(await lens.save(), true);
    assert.match(files.read('closedLocked.jsonl'), /65/);
  });

  it('never recreates a deleted source without a question', async () => {
    const source = await files.open('deleted.jsonl', linesOf([whole('a')]));
    const lens = await editLine(source, 0);
    await replaceIn(lens, '64', '65');
    rmSync(files.at('deleted.jsonl'));
    // A save without a key press asks no question.
    await assert.rejects(writeUnasked(lens), /deleted\.jsonl was deleted/);
    assert.equal(existsSync(files.at('deleted.jsonl')), false);
    assert.ok(lens.isDirty);
    assert.equal(source.getText(), `${whole('a')}\n`);
  });

  it('has only its file and its request in its URI @ci', async () => {
    const source = await files.open('crumbs.jsonl', linesOf([whole('a')]));
    const lens = await editLine(source, 0);
    assert.equal(lens.uri.path, '/crumbs.jsonl/a.request.json');
  });

  it('edits nothing of a file without requests @ci', async () => {
    const source = await files.open('log.jsonl', linesOf(['{"level": "info", "msg": "started"}']));
    await vscode.commands.executeCommand('managedAgents.request.edit');
    assert.equal(vscode.window.activeTextEditor?.document, source);
  });
});
