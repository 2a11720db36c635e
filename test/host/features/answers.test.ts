import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { eventually, eventuallyHolds } from '../eventually';
import { connectPage } from '../page';
import { closeEditors, useExtension } from '../useExtension';

const whole = (id: string, words: string) =>
  JSON.stringify({ custom_id: id, params: { model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content: words }] } });

const lines = [
  whole('good', '[emulate: text Paris, **of course**.]'),
  whole('cut', 'Tell me all. [emulate: max_tokens]'),
  whole('fine', '[emulate: text Yes.]'),
  whole('fails', '[emulate: error invalid_request_error]'),
];

const key = 'key-of-the-answers';

describe('answers at the lines of a request file', () => {
  const page = connectPage();
  const files = useExtension('answers');
  let emulator: Emulator;
  let uri: vscode.Uri;
  let document: vscode.TextDocument;
  const set = async (name: string, value: unknown) =>
    await vscode.workspace.getConfiguration('managedAgents').update(name, value, vscode.ConfigurationTarget.Global);

  before('send a file', async () => {
    emulator = await startEmulator({ key, scenario: { batchDuration: 600_000 } });
    await set('connections', { Answers: { baseUrl: emulator.url } });
    await set('connection', 'Answers');
    await set('results.fetchWhenEnded', false);
    const asked = vscode.commands.executeCommand('managedAgents.connection.setKey', 'Answers');
    await page.inputBox(key);
    await asked;
    uri = files.write('journey.jsonl', `${lines.join('\n')}\n`);
    await open();
    await lensWith(/Create Batch \(4 requests/);
    await eventuallyHolds(async () => assert.ok((await lenses()).every(lens => titleOf(lens) !== 'No connection')));
    void vscode.commands.executeCommand('managedAgents.batch.create', uri);
    await page.createFromSheet('journey.jsonl');
  });

  beforeEach('open the file', () => open());

  after(async () => {
    page.close();
    await set('connections', undefined);
    await set('connection', undefined);
    await set('results.fetchWhenEnded', undefined);
    await emulator.stop();
  });

  async function open(): Promise<vscode.TextEditor> {
    document = await vscode.workspace.openTextDocument(uri);
    return await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, preview: false });
  }

  async function lenses(of = uri): Promise<readonly vscode.CodeLens[]> {
    return await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', of);
  }

  const titleOf = ({ command }: vscode.CodeLens) => (command?.title ?? '').replace(/\$\([a-z-]+\)\s/g, '');

  /** Waits for a lens with a matching title, on any line or on `line`, and returns it. */
  async function lensWith(title: RegExp, line?: number, of = uri): Promise<vscode.CodeLens> {
    return await eventually(async () => {
      const all = await lenses(of);
      const found = all.find(lens => title.test(titleOf(lens)) && (line === undefined || lens.range.start.line === line));
      return found ?? assert.fail(`${title} is not among ${all.map(lens => `${lens.range.start.line} ${titleOf(lens)}`).join('\n')}`);
    });
  }

  async function hoverAt(line: number): Promise<string> {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, new vscode.Position(line, 1));
    return hovers.flatMap(({ contents }) => contents.map(content => (typeof content === 'string' ? content : content.value))).join('\n');
  }

  /** Waits until the hover of a line matches, and returns its whole text. */
  async function hoverWith(words: RegExp, line: number): Promise<string> {
    return await eventually(async () => {
      const hover = await hoverAt(line);
      assert.match(hover, words);
      return hover;
    });
  }

  async function replaceLine(line: number, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, document.lineAt(line).range, text);
    assert.equal(await vscode.workspace.applyEdit(edit), true);
  }

  /** Waits until the active editor shows the request file with the cursor in a line. */
  async function cursorIn(line: number): Promise<void> {
    await eventuallyHolds(() => {
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri.toString());
      assert.equal(vscode.window.activeTextEditor?.selection.active.line, line);
    });
  }

  it('show that a batch is running, and offer its results after it has ended', async () => {
    const pending = await lensWith(/^Running…$/, 0);
    assert.ok(pending.command);
    assert.match(await hoverAt(0), /Sent .* in batch/);
    await page.screenshot('answers-sent');
    await emulator.advanceClock(700_000);
    await vscode.commands.executeCommand('managedAgents.refresh');
    const ended = await lensWith(/^Fetch Results$/, 0);
    await vscode.commands.executeCommand(ended.command?.command ?? '', ...(ended.command?.arguments ?? []));
    await lensWith(/^2 failed or cut short$/, 0);
  });

  it('show every answer in its hover, with links to the whole answer', async () => {
    const hover = await hoverWith(/> Paris, \*\*of course\*\*\./, 0);
    assert.match(hover, /vendor\\-haiku\\-4\\-5/);
    assert.match(hover, /\[Open Answer\]\(command:managedAgents\.answer\.open\?/);
    await hoverWith(/^◐ cut short · max\\_tokens/m, 1);
    const failed = await hoverWith(/^✗ failed · invalid\\_request\\_error/m, 3);
    assert.match(failed, /Edit the request before you send it again/);
    assert.match(failed, /request ID/);
  });

  it("have at most four lenses, and an answer's actions in its hover", async () => {
    await open();
    await lensWith(/^2 failed or cut short$/, 0);
    assert.deepEqual(
      (await lenses()).map(lens => `${lens.range.start.line} ${titleOf(lens)}`),
      ['0 Create Batch (4 requests)', '0 2 failed or cut short', '0 Results', '0 More...'],
    );
    const links =
      /\[Run This Request\].* · \[Open Answer\]\(command:(\S+?)\?(\S+?)\) · \[Show in Results\]\(command:managedAgents\.results\.show\?/;
    const [, command = '', given = ''] = links.exec(await hoverWith(links, 3)) ?? [];
    const [file, line, version] = JSON.parse(decodeURIComponent(given)) as [Parameters<typeof vscode.Uri.from>[0], number, number];
    await vscode.commands.executeCommand(command, vscode.Uri.from(file), line, version);
    await eventuallyHolds(() =>
      assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /^Answer to fails of Answers\n✗ failed/),
    );
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('step through failed ones, wrapping around', async () => {
    await hoverWith(/^✗ failed/m, 3);
    const editor = await open();
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    for (const [command, line] of [
      ['next', 1],
      ['next', 3],
      ['next', 1],
      ['previous', 3],
      ['previous', 1],
    ] as const) {
      await vscode.commands.executeCommand(`managedAgents.answer.${command}Failed`);
      await cursorIn(line);
    }
  });

  it('mark a request that was changed since it was sent, until it is reverted', async () => {
    await hoverWith(/Paris/, 0);
    await replaceLine(0, whole('good', 'Something else'));
    assert.match(await hoverWith(/has changed since it was sent/, 0), /Paris/);
    await vscode.commands.executeCommand('undo');
    const isUnchanged = async (line: number) =>
      await eventuallyHolds(async () => assert.doesNotMatch(await hoverWith(/Paris/, line), /changed since/));
    await isUnchanged(0);
    // The same request in another notation, on another line.
    const text = JSON.stringify(JSON.parse(lines[0] ?? ''), undefined, 1).replaceAll('\n', ' ');
    await replaceLine(0, `${lines[2]}\n${text}`);
    await isUnchanged(1);
  });

  it('are found again after the edited file was saved and reopened', async () => {
    await hoverWith(/> Yes/, 2);
    await replaceLine(2, `${whole('new', 'Never sent')}\n${whole('fine', 'Another question')}`);
    assert.equal(await document.save(), true);
    await closeEditors();
    await open();
    await hoverWith(/> Yes/, 3);
    await hoverWith(/has changed since it was sent/, 3);
    const marks = await Promise.all([0, 1, 2, 3, 4].map(async line => /^[✓✗◐]/m.exec(await hoverAt(line))?.[0]));
    assert.deepEqual(marks, ['✓', '◐', undefined, '✓', '✗']);
  });

  it('lead from a joined result to the current line of its request', async () => {
    const results = vscode.Uri.file(uri.fsPath.replace('.jsonl', '.results.jsonl'));
    const last = readFileSync(results.fsPath, 'utf8').trim().split('\n').length - 1;
    const shown = await vscode.window.showTextDocument(results, { viewColumn: vscode.ViewColumn.One, preview: false });
    shown.selection = new vscode.Selection(last, 0, last, 0);
    await vscode.commands.executeCommand('managedAgents.answer.goToRequest', { uri: results, lineNumber: last + 1 });
    await cursorIn(4);
    // Without an argument, the command uses the cursor's line.
    const editor = await vscode.window.showTextDocument(results, { viewColumn: vscode.ViewColumn.One, preview: false });
    editor.selection = new vscode.Selection(0, 5, 0, 5);
    await vscode.commands.executeCommand('managedAgents.answer.goToRequest');
    await cursorIn(0);
  });

  it('follow a renamed file, and one whose folder is moved', async () => {
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
    await hoverWith(/^✗ failed/m, 4);
    const moved = vscode.Uri.joinPath(folder, '..', 'later');
    await move(folder, moved);
    uri = vscode.Uri.joinPath(moved, 'renamed.jsonl');
    await open();
    await hoverWith(/^✗ failed/m, 4);
  });

  it('show an older run of the file at the lines', async () => {
    await open();
    void vscode.commands.executeCommand('managedAgents.batch.create', uri);
    await page.createFromSheet('renamed.jsonl');
    await lensWith(/^Running…$/, 0);
    await emulator.advanceClock(700_000);
    await vscode.commands.executeCommand('managedAgents.refresh');
    const ended = await lensWith(/^Fetch Results$/, 0);
    await vscode.commands.executeCommand(ended.command?.command ?? '', ...(ended.command?.arguments ?? []));
    await lensWith(/^2 failed or cut short$/, 0);
    /** Selects a run of the active file by its index. The newest run has index 0. */
    const showRun = async (index: number) => {
      const shown = vscode.commands.executeCommand('managedAgents.run.showAtLines');
      const batchId = (await page.quickPickTexts()).flatMap(text => /msgbatch_\w+/.exec(text)?.[0] ?? [])[index];
      await page.screenshot(`answers-runs-${index}`);
      await page.quickPick(batchId ?? assert.fail());
      await shown;
    };
    await showRun(1);
    await lensWith(/^Results of /, 0);
    await hoverWith(/has changed since it was sent/, 3);
    await showRun(0);
    await lensWith(/^2 failed or cut short$/, 0);
  });
});
