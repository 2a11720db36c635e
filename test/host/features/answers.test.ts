import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { connectPage } from '../page';

const whole = (id: string, words: string) =>
  JSON.stringify({ custom_id: id, params: { model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content: words }] } });

const lines = [
  whole('good', '[emulate: text Paris, **of course**.]'),
  whole('cut', 'Tell me all. [emulate: max_tokens]'),
  whole('fine', '[emulate: text Yes.]'),
  whole('fails', '[emulate: error invalid_request_error]'),
];

describe('answers at the lines of a request file', () => {
  const page = connectPage();
  let uri: vscode.Uri;
  let document: vscode.TextDocument;

  before('send a file and open it', async function () {
    this.timeout(60_000);
    if (!page.available) {
      this.skip();
    }
    await vscode.extensions.getExtension('managed-agents.managed-agents')?.activate();
    await vscode.workspace.getConfiguration('managedAgents').update('emulator.batchSeconds', 3, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('managedAgents.emulator.start');
    uri = vscode.Uri.file(path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no workspace'), 'journey.jsonl'));
    writeFileSync(uri.fsPath, `${lines.join('\n')}\n`);
    await open();
    await lensWith(/Create Batch \(4 requests/);
    await lensWith(/Emulator/);
    void vscode.commands.executeCommand('managedAgents.batch.create', uri);
    await page.createFromSheet('journey.jsonl');
  });

  after(async () => {
    page.close();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.getConfiguration('managedAgents').update('emulator.batchSeconds', undefined, vscode.ConfigurationTarget.Global);
  });

  async function open(): Promise<vscode.TextEditor> {
    document = await vscode.workspace.openTextDocument(uri);
    return await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, preview: false });
  }

  async function lenses(of = uri): Promise<readonly vscode.CodeLens[]> {
    return await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', of);
  }

  const titleOf = ({ command }: vscode.CodeLens) => (command?.title ?? '').replace(/\$\([a-z-]+\)\s/g, '');

  /** The lens whose title fits, on a line when one is given; asks until there is one. */
  async function lensWith(title: RegExp, line?: number, of = uri): Promise<vscode.CodeLens> {
    for (;;) {
      const found = (await lenses(of)).find(lens => title.test(titleOf(lens)) && (line === undefined || lens.range.start.line === line));
      if (found !== undefined) {
        return found;
      }
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }

  async function hoverAt(line: number): Promise<string> {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, new vscode.Position(line, 1));
    return hovers.flatMap(({ contents }) => contents.map(content => (typeof content === 'string' ? content : content.value))).join('\n');
  }

  async function replaceLine(line: number, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, document.lineAt(line).range, text);
    assert.equal(await vscode.workspace.applyEdit(edit), true);
  }

  const cursor = () => vscode.window.activeTextEditor?.selection.active.line;

  it('says that a batch is under way, and offers its results when it has ended', async () => {
    const pending = await lensWith(/no answers yet|results not fetched/, 0);
    assert.ok(pending.command);
    assert.match(await hoverAt(0), /no answer yet|has ended/);
    await page.screenshot('answers-sent');
    const ended = await lensWith(/results not fetched/, 0);
    await vscode.commands.executeCommand(ended.command?.command ?? '', ...(ended.command?.arguments ?? []));
    await lensWith(/^2 succeeded · 2 need a look$/, 0);
  });

  it('shows what failed in lenses, and every answer in its hover', async () => {
    await lensWith(/^✗ errored · invalid_request_error/, 3);
    await lensWith(/^◐ cut short \(max_tokens\)/, 1);
    const hover = await hoverAt(0);
    assert.match(hover, /> Paris, \*\*of course\*\*\./);
    assert.match(hover, /vendor\\-haiku\\-4\\-5/);
    assert.match(await hoverAt(3), /What to do: edit the request first/);
    assert.match(await hoverAt(3), /request ID/);
  });

  it('goes to the failed ones and around', async () => {
    const editor = await open();
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    const visited: (number | undefined)[] = [];
    for (const command of ['next', 'next', 'next', 'previous', 'previous']) {
      await vscode.commands.executeCommand(`managedAgents.answer.${command}Failed`);
      visited.push(cursor());
    }
    assert.deepEqual(visited, [1, 3, 1, 3, 1]);
  });

  it('marks a request that was changed since it was sent, until it says the same again', async () => {
    await replaceLine(0, whole('good', 'Something else'));
    await lensWith(/^≠ changed since · ✓ Paris/, 0);
    assert.match(await hoverAt(0), /was changed since it was sent/);
    await vscode.commands.executeCommand('undo');
    await lensWith(/^✓ Paris/, 0);
    // The same request, written in another way, at another place.
    const text = JSON.stringify(JSON.parse(lines[0] ?? ''), undefined, 1).replaceAll('\n', ' ');
    await replaceLine(0, `${lines[2]}\n${text}`);
    await lensWith(/^✓ Paris/, 1);
    assert.ok((await lenses()).every(lens => !titleOf(lens).includes('changed since')));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('still knows after the edited file was saved and opened again', async () => {
    await open();
    await replaceLine(2, `${whole('new', 'Never sent')}\n${whole('fine', 'Another question')}`);
    await document.save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await open();
    await lensWith(/^≠ changed since · ✓ Yes/, 3);
    const marked = (await lenses()).map(lens => `${lens.range.start.line} ${titleOf(lens)}`).filter(title => /^\d+ [≠✓✗◐]/.test(title));
    assert.deepEqual(
      marked.map(title => title.slice(0, 3)),
      ['0 ✓', '1 ◐', '3 ≠', '4 ✗'],
    );
  });

  it('goes from a joined result to its request as it stands now', async () => {
    const results = vscode.Uri.file(uri.fsPath.replace('.jsonl', '.results.jsonl'));
    const last = readFileSync(results.fsPath, 'utf8').trim().split('\n').length - 1;
    await vscode.window.showTextDocument(results, { viewColumn: vscode.ViewColumn.One, preview: false });
    const lens = await lensWith(/^Go to Request$/, last, results);
    await vscode.commands.executeCommand(lens.command?.command ?? '', ...(lens.command?.arguments ?? []));
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri.toString());
    assert.equal(cursor(), 4);
    // Without a line it is that of the cursor.
    const editor = await vscode.window.showTextDocument(results, { viewColumn: vscode.ViewColumn.One, preview: false });
    editor.selection = new vscode.Selection(0, 5, 0, 5);
    await vscode.commands.executeCommand('managedAgents.answer.goToRequest');
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri.toString());
    assert.equal(cursor(), 0);
  });

  it('keeps the answers of a file that is renamed, and of one whose folder is moved', async () => {
    const folder = vscode.Uri.joinPath(uri, '..', 'asked');
    await vscode.workspace.fs.createDirectory(folder);
    const move = async (from: vscode.Uri, to: vscode.Uri) => {
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(from, to);
      assert.equal(await vscode.workspace.applyEdit(edit), true);
    };
    const inFolder = vscode.Uri.joinPath(folder, 'renamed.jsonl');
    await move(uri, inFolder);
    uri = inFolder;
    await open();
    await lensWith(/^✗ errored/, 4);
    const moved = vscode.Uri.joinPath(folder, '..', 'later');
    await move(folder, moved);
    uri = vscode.Uri.joinPath(moved, 'renamed.jsonl');
    await open();
    await lensWith(/^✗ errored/, 4);
  });
});
