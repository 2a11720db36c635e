import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../eventually';
import { useExtension } from '../../useExtension';
import { editLine, holding, isOurs, linesOf, replaceIn, undoIn, whole, writeUnasked } from './requestEditorUnderTest';

describe('the request editor beside its source', () => {
  const files = useExtension('requestEditor-following');

  it('follows its line when lines are added and removed, and when it is edited', async () => {
    const source = await files.open('follow.jsonl', linesOf([whole('a'), whole('b'), whole('c')]));
    const lens = await editLine(source, 1);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(source.uri, new vscode.Position(0, 0), `${whole('new')}\n\n`);
    edit.delete(source.uri, new vscode.Range(2, 0, 3, 0));
    await vscode.workspace.applyEdit(edit);
    await replaceIn(source, '"b", "params": {"model": "vendor-haiku-4-5"', '"b", "params": {"model": "vendor-opus-5"');
    await holding(lens, 'vendor-opus-5');
    await replaceIn(lens, '64', '128');
    assert.equal(await lens.save(), true);
    assert.equal(source.lineAt(3).text, whole('b').replace('vendor-haiku-4-5', 'vendor-opus-5').replace('64', '128'));
    assert.equal(source.lineAt(2).text, whole('a'));
  });

  it('follows a change right before the line moved @ci', async () => {
    const source = await files.open('moved.jsonl', linesOf([whole('a')]));
    const lens = await editLine(source, 0);
    await replaceIn(source, '64', '65');
    const move = new vscode.WorkspaceEdit();
    move.insert(source.uri, new vscode.Position(0, 0), `${whole('new')}\n`);
    assert.equal(await vscode.workspace.applyEdit(move), true);
    await holding(lens, '65');
  });

  it('refuses to overwrite a conflicting change until the user decided', async () => {
    const source = await files.open('conflict.jsonl', linesOf([whole('a')]));
    const lens = await editLine(source, 0);
    await replaceIn(lens, '"Hello"', '"Mine!"');
    await replaceIn(source, '"Hello"', '"Other"');
    // VS Code reports the conflict, with its own buttons to compare and to overwrite.
    assert.equal(await lens.save(), false);
    assert.ok(lens.isDirty && lens.getText().includes('"Mine!"'));
    assert.match(source.lineAt(0).text, /"Other"/);

    await vscode.window.showTextDocument(lens);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await holding(lens, '"Other"');
    await replaceIn(lens, '"Other"', '"Third"');
    assert.equal(await lens.save(), true);
    assert.match(source.lineAt(0).text, /"Third"/);
  });

  it('withdraws a conflict when the source is reverted @ci', async () => {
    const source = await files.open('back.jsonl', linesOf([whole('a')]));
    const lens = await editLine(source, 0);
    await replaceIn(lens, '"Hello"', '"Mine!"');
    await replaceIn(source, '"Hello"', '"Other"');
    assert.equal(await lens.save(), false);
    await undoIn(source);
    assert.equal(await lens.save(), true);
    assert.match(source.lineAt(0).text, /"Mine!"/);
  });

  it('never overwrites another line when its own is gone, and finds it again', async () => {
    const source = await files.open('gone.jsonl', linesOf([whole('a'), whole('b'), whole('c')]));
    const lens = await editLine(source, 1);
    await replaceIn(lens, '64', '65');
    const edit = new vscode.WorkspaceEdit();
    edit.delete(source.uri, new vscode.Range(1, 0, 2, 0));
    await vscode.workspace.applyEdit(edit);
    // A save without a key press asks no question.
    await assert.rejects(writeUnasked(lens), /Nothing was written/);
    assert.equal(source.getText(), `${whole('a')}\n${whole('c')}\n`);
    assert.match(lens.getText(), /65/);
    await undoIn(source);
    assert.equal(await lens.save(), true);
    assert.equal(source.lineAt(1).text, whole('b').replace('64', '65'));
  });

  it('hides problems with the closed tab, and shows them again with it @ci', async () => {
    const source = await files.open('tabs.jsonl', linesOf([whole('u 1')]));
    const lens = await editLine(source, 0);
    const problems = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).filter(isOurs).length;
    await eventually(() => problems(lens.uri) > 0 && problems(source.uri) > 0);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await eventually(() => problems(lens.uri) === 0);
    assert.ok(problems(source.uri) > 0);
    await vscode.window.showTextDocument(source, vscode.ViewColumn.One);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await eventually(() => problems(source.uri) === 0);
    await vscode.window.showTextDocument(source, vscode.ViewColumn.One);
    await eventually(() => problems(source.uri) > 0);
    const again = await editLine(source, 0);
    await eventually(() => problems(again.uri) > 0);
  });
});
