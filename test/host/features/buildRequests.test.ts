import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventually, eventuallyHolds } from '../eventually';
import { connectPage } from '../page';
import { closeEditors, useExtension, workspaceFolder } from '../useExtension';

const previewScheme = 'managed-agents-build';

function write(name: string, text: string): vscode.Uri {
  const file = path.join(workspaceFolder(), name);
  writeFileSync(file, text);
  return vscode.Uri.file(file);
}

const template = (content: string) =>
  `${JSON.stringify({ custom_id: '{{id}}', params: { model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content }] } }, null, 2)}\n`;

/** Returns the visible preview, once its text matches. */
async function preview(pattern: RegExp): Promise<vscode.TextDocument> {
  return await eventually(() => {
    const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.scheme === previewScheme)?.document;
    assert.match(shown?.getText() ?? '', pattern);
    return shown;
  });
}

async function lenses(uri: vscode.Uri): Promise<string[]> {
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
  return found.map(({ command }) => command?.title ?? '');
}

describe('features/requests/building', () => {
  const made: string[] = [];
  const page = connectPage();

  after(() => page.close());

  useExtension('building');

  afterEach('remove what was made', () => {
    for (const name of made.splice(0)) {
      rmSync(path.join(workspaceFolder(), name), { force: true });
    }
  });

  async function newTemplate(rows: vscode.Uri): Promise<void> {
    const building = vscode.commands.executeCommand('managedAgents.file.build', rows);
    await page.quickPick('New Template with These Columns');
    await building;
  }

  it('creates a template, previews its requests, follows edits, and builds', async () => {
    made.push('build.csv', 'build.batch-template.json', 'build.requests.jsonl');
    const rows = write('build.csv', 'id,question\na,"One,\ntwo?"\nb,Three?\nc,Four?\nd,Five?\n');
    await newTemplate(rows);
    const shown = await preview(/All 4 requests are valid/);
    assert.match(shown.getText(), /"custom_id": "a"[\s\S]*"content": "One,\\ntwo\?"[\s\S]*"custom_id": "d"[\s\S]*"custom_id": "[bc]"/);
    await eventuallyHolds(async () =>
      assert.match(
        (await lenses(shown.uri)).join('|'),
        /Build 4 Requests\|.*Another Random Row\|.*build\.csv: CSV \(Commas\)\|.*build\.batch-template\.json/,
      ),
    );

    const randomRow = () => /A random row: row (\d)/.exec(shown.getText())?.[1];
    const before = randomRow();
    await vscode.commands.executeCommand('managedAgents.file.build', shown.uri, 'anotherRow');
    await eventually(() => randomRow() !== undefined && randomRow() !== before);

    const source = await vscode.workspace.openTextDocument(path.join(workspaceFolder(), 'build.batch-template.json'));
    const at = source.getText().indexOf('{{question}}');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(source.uri, source.positionAt(at), 'Row {{row}} of {{lang}}: ');
    await vscode.workspace.applyEdit(edit);
    await preview(/Missing columns: lang/);
    await eventuallyHolds(async () => assert.doesNotMatch((await lenses(shown.uri)).join('|'), /Build 4/));
    const undo = new vscode.WorkspaceEdit();
    undo.replace(source.uri, new vscode.Range(0, 0, source.lineCount, 0), source.getText().replace(' of {{lang}}', ''));
    await vscode.workspace.applyEdit(undo);
    await preview(/All 4 requests are valid[\s\S]*"Row 1: One/);

    await vscode.commands.executeCommand('managedAgents.file.build', shown.uri);
    const lines = readFileSync(path.join(workspaceFolder(), 'build.requests.jsonl'), 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      lines.map(line => JSON.parse(line).params.messages[0].content),
      ['Row 1: One,\ntwo?', 'Row 2: Three?', 'Row 3: Four?', 'Row 4: Five?'],
    );
    await eventuallyHolds(() =>
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, path.join(workspaceFolder(), 'build.requests.jsonl')),
    );
  });

  it('offers matching templates first, and remembers the rows of a template', async () => {
    made.push('pick.jsonl', 'fits.batch-template.json', 'other.batch-template.json');
    const rows = write('pick.jsonl', '{"id":1,"text":"One"}\n{"id":2,"text":"Two"}\n');
    const fits = write('fits.batch-template.json', template('{{text}}'));
    write('other.batch-template.json', template('{{missing}}'));
    const built = vscode.commands.executeCommand('managedAgents.file.build', rows);
    const own = (await page.quickPickTexts())
      .filter(text => /^(?:fits|other|New)/.test(text.trim()))
      .map(text => text.trim().replace(/\s*\n\s*/g, ' '));
    assert.deepEqual(own, [
      'fits.batch-template.json All columns found',
      'New Template with These Columns id, text',
      'other.batch-template.json Missing columns: missing',
    ]);
    await page.quickPick('fits.batch-template.json');
    await built;
    await preview(/"custom_id": "1"/);
    await closeEditors();
    await vscode.commands.executeCommand('managedAgents.file.build', fits);
    await preview(/All 2 requests are valid[\s\S]*"custom_id": "1"/);
  });

  it('helps in templates with problems and with columns after {{', async () => {
    made.push('help.csv', 'help.batch-template.json');
    const rows = write('help.csv', 'id,question text\na,"What is <b>1</b>?"\n');
    await newTemplate(rows);
    const document = await vscode.workspace.openTextDocument(path.join(workspaceFolder(), 'help.batch-template.json'));
    const { uri } = document;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), template('{{question txt}} {{id}} {{'));
    await vscode.workspace.applyEdit(edit);
    await preview(/Missing columns: question txt \(did you mean question text\?\)/);
    const ours = () => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'managed-agents');
    const found = await eventually(() => ours().length === 2 && ours());
    assert.deepEqual(found.map(({ code, range }) => [code, document.getText(range)]).sort(), [
      ['template-place', '{{'],
      ['unknown-column', '{{question txt}}'],
    ]);
    const position = document.positionAt(document.getText().lastIndexOf('{{') + 2);
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      uri,
      position,
      '{',
    );
    const labels = items.filter(({ insertText }) => String(insertText).endsWith('}}')).map(({ label }) => String(label));
    assert.deepEqual(labels, ['id', 'question text', 'row']);
  });

  it('reports unreadable rows, and builds nothing', async () => {
    made.push('broken.csv');
    const rows = write('broken.csv', 'id,question\na,"One\n');
    await vscode.commands.executeCommand('managedAgents.file.build', rows);
    assert.equal(vscode.window.visibleTextEditors.filter(({ document }) => document.uri.scheme === previewScheme).length, 0);
  });
});
