import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventuallyHolds } from '../../eventually';
import { useExtension, withSetting } from '../../useExtension';
import { activeRequest, bare, editLine, holding, linesOf, replaceIn, undoIn, whole, writeUnasked } from './requestEditorUnderTest';

describe('saving in the request editor', () => {
  const files = useExtension('requestEditor-saving');

  it('shows a line as JSON, with the cursor at the same character', async () => {
    const source = await files.open('show.jsonl', linesOf([whole('a'), whole('b', 'Where am I?')]));
    const column = source.lineAt(1).text.indexOf('am I');
    const editor = await vscode.window.showTextDocument(source, vscode.ViewColumn.One);
    editor.selection = new vscode.Selection(1, column, 1, column);
    await vscode.commands.executeCommand('managedAgents.request.edit');
    const lens = await activeRequest(/\/b\.request\.json$/);
    assert.equal(lens.languageId, 'json');
    assert.match(lens.getText(), /^\{\n {2}"custom_id": "b",\n {2}"params": \{\n/);
    assert.match(lens.getText(), /"x": 1\.0\n/);
    await eventuallyHolds(() => {
      const shown = vscode.window.activeTextEditor;
      assert.equal(shown?.viewColumn, vscode.ViewColumn.Two);
      const cursor = lens.offsetAt(shown?.selection.active ?? new vscode.Position(0, 0));
      assert.equal(lens.getText().slice(cursor, cursor + 4), 'am I');
    });

    await vscode.commands.executeCommand('managedAgents.request.revealSource');
    await eventuallyHolds(() => {
      assert.equal(vscode.window.activeTextEditor?.document, source);
      assert.deepEqual(vscode.window.activeTextEditor?.selection.active, new vscode.Position(1, column));
    });
    const again = await editLine(source, 1);
    assert.equal(again, lens);
  });

  it('saves into the line and nowhere else, and the source into its file', async () => {
    const lines = [whole('a'), whole('b').replace('64', '6.40e1'), whole('c')];
    const source = await files.open('save.jsonl', linesOf(lines, '\r\n'));
    const lens = await editLine(source, 1);
    await replaceIn(lens, '"Hello"', '"Good\\u0020day"');
    assert.equal(await lens.save(), true);
    const expected = lines.with(1, (lines[1] ?? '').replace('"Hello"', '"Good\\u0020day"'));
    assert.equal(files.read('save.jsonl'), `${expected.join('\r\n')}\r\n`);
    assert.equal(source.isDirty, false);
    assert.equal(lens.isDirty, false);

    await undoIn(source);
    assert.equal(source.lineAt(1).text, lines[1]);
    await holding(lens, '"Hello"');
    assert.equal(lens.isDirty, false);
  });

  it('leaves a source with other unsaved changes unsaved @ci', async () => {
    const source = await files.open('unsaved.jsonl', linesOf([whole('a'), whole('b')]));
    await replaceIn(source, '"a"', '"first"');
    const lens = await editLine(source, 1);
    await replaceIn(lens, '64', '65');
    assert.equal(await lens.save(), true);
    assert.equal(source.isDirty, true);
    assert.match(source.lineAt(1).text, /65/);
    assert.doesNotMatch(files.read('unsaved.jsonl'), /65|first/);
    await vscode.window.showTextDocument(source, vscode.ViewColumn.One);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await holding(lens, '64');
    assert.equal(lens.isDirty, false);
  });

  it('keeps the bytes of a line whose white space was reformatted @ci', async () => {
    const line = '  { "custom_id":"a" ,"params" :{ "model":"m","max_tokens": 1.0,"messages":[ ]} }\t';
    const source = await files.open('spaces.jsonl', linesOf([line, whole('b')]));
    const lens = await editLine(source, 0);
    const edit = new vscode.WorkspaceEdit();
    const all = new vscode.Range(0, 0, lens.lineCount, 0);
    edit.replace(lens.uri, all, JSON.stringify(JSON.parse(line), null, '\t').replace(': 1,', ': 1.0,').replaceAll('\n', '\n\n'));
    await vscode.workspace.applyEdit(edit);
    assert.equal(await lens.save(), true);
    assert.equal(source.lineAt(0).text, line);
    await replaceIn(lens, '"m"', '"n"');
    assert.equal(await lens.save(), true);
    assert.equal(source.lineAt(0).text, line.replace('"m"', '"n"'));
    assert.match(lens.getText(), /\n\n\t"params"/);
  });

  it('edits bare params as bare params @ci', async () => {
    const source = await files.open('bare.jsonl', linesOf([bare('One?'), bare('Two?')]));
    const lens = await editLine(source, 1);
    assert.match(lens.uri.path, /\/line 2\.params\.json$/);
    await replaceIn(lens, 'Two?', 'Zwei?');
    assert.equal(await lens.save(), true);
    assert.equal(files.read('bare.jsonl'), `${bare('One?')}\n${bare('Zwei?')}\n`);
  });

  it('rejects a string over several lines with a message, and keeps it', async () => {
    const source = await files.open('refuse.jsonl', linesOf([whole('a')]));
    const lens = await editLine(source, 0);
    await replaceIn(lens, '"Hello"', '"Hello\n');
    await assert.rejects(writeUnasked(lens), /The string that starts on line 9 has a line break/);
    assert.equal(await lens.save(), false);
    assert.equal(source.lineAt(0).text, whole('a'));
  });

  it('shows and saves a line with broken JSON @ci', async () => {
    const broken = whole('a').replace('64,', '64');
    const source = await files.open('broken.jsonl', linesOf([whole('b'), broken]));
    const lens = await editLine(source, 1);
    await replaceIn(lens, '64', '64,');
    assert.equal(await lens.save(), true);
    assert.equal(source.lineAt(1).text, whole('a').replace('64, ', '64, '));
  });

  it('reads and writes UTF-8 whatever encoding the user has set @ci', async () => {
    await withSetting('files.encoding', 'windows1252', async () => {
      files.write('encoding.jsonl', `${whole('a', 'Grüße 😀')}\n`);
      const lens = await editLine(vscode.Uri.file(files.at('encoding.jsonl')), 0);
      assert.match(lens.getText(), /"Grüße 😀"/);
      await replaceIn(lens, '64', '65');
      assert.equal(await lens.save(), true);
      assert.equal(files.read('encoding.jsonl'), `${whole('a', 'Grüße 😀').replace('64', '65')}\n`);
    });
  });
});
