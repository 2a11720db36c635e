import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

const scheme = 'managed-agents-request';
const whole = (id: string, words = 'Hello') =>
  `{"custom_id": "${id}", "params": {"model": "vendor-haiku-4-5", "max_tokens": 64, "messages": [{"role": "user", "content": "${words}"}], "x":  1.0}}`;
const bare = (words: string) => `{"model":"vendor-haiku-4-5","max_tokens":64,"messages":[{"role":"user","content":"${words}"}]}`;

/** In a folder of its own: VS Code can still hold a file of that name that another test had open. */
function toPath(name: string): string {
  const folder = path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no workspace'), 'requestEditor');
  mkdirSync(folder, { recursive: true });
  return path.join(folder, name);
}

const onDisk = (name: string) => readFileSync(toPath(name), 'utf8');

async function openFile(name: string, lines: readonly string[], lineBreak = '\n'): Promise<vscode.TextDocument> {
  writeFileSync(toPath(name), lines.map(line => line + lineBreak).join(''));
  const document = await vscode.workspace.openTextDocument(toPath(name));
  await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  return document;
}

/** Settles with what `look` finds as soon as it finds something. */
async function eventually<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = Date.now() + 15_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) {
      return found;
    }
    assert.ok(Date.now() < end, `it did not come: ${look}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

const until = (holds: () => boolean) => eventually(() => (holds() ? true : undefined));

/** The document of a request, and its editor, once it is shown. */
async function editLine(source: vscode.TextDocument | vscode.Uri, line: number): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand('managedAgents.request.edit', 'uri' in source ? source.uri : source, line);
  return activeLens();
}

function activeLens(): vscode.TextDocument {
  const document = vscode.window.activeTextEditor?.document;
  assert.equal(document?.uri.scheme, scheme);
  return document ?? assert.fail();
}

/** Settles when the active editor is one whose path matches: it changes a little after the command that changed it has ended. */
async function untilActive(path: RegExp): Promise<void> {
  while (!path.test(vscode.window.activeTextEditor?.document.uri.path ?? '')) {
    await new Promise<void>(resolve => {
      const subscription = vscode.window.onDidChangeActiveTextEditor(() => {
        subscription.dispose();
        resolve();
      });
    });
  }
}

async function replaceIn(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const start = document.getText().indexOf(from);
  assert.ok(start >= 0, `${from} is not in ${document.getText()}`);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(start + from.length)), to);
  assert.equal(await vscode.workspace.applyEdit(edit), true);
}

async function undoIn(document: vscode.TextDocument): Promise<void> {
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
  await vscode.commands.executeCommand('undo');
}

const isOurs = ({ source }: vscode.Diagnostic) => source === 'managed-agents';
const ruleOf = ({ code }: vscode.Diagnostic) => String(typeof code === 'object' ? code.value : code);

/** Saves without waiting for the end of questions. */
const trySaving = async (document: vscode.TextDocument) => await document.save();

describe('features/jsonl/requestEditor', () => {
  before(async () => {
    await vscode.extensions.getExtension('managed-agents.managed-agents')?.activate();
  });

  afterEach(async () => {
    for (const { document } of vscode.window.visibleTextEditors) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('shows a line as JSON, the cursor at the same character', async () => {
    const source = await openFile('show.jsonl', [whole('a'), whole('b', 'Where am I?')]);
    const column = source.lineAt(1).text.indexOf('am I');
    const editor = await vscode.window.showTextDocument(source, vscode.ViewColumn.One);
    editor.selection = new vscode.Selection(1, column, 1, column);
    await vscode.commands.executeCommand('managedAgents.request.edit');
    const lens = activeLens();
    assert.match(lens.uri.path, /\/b\.request\.json$/);
    assert.equal(lens.languageId, 'json');
    assert.match(lens.getText(), /^\{\n {2}"custom_id": "b",\n {2}"params": \{\n/);
    assert.match(lens.getText(), /"x": 1\.0\n/);
    const shown = vscode.window.activeTextEditor;
    assert.equal(shown?.viewColumn, vscode.ViewColumn.Two);
    assert.equal(
      lens
        .getText()
        .slice(lens.offsetAt(shown?.selection.active ?? new vscode.Position(0, 0)))
        .slice(0, 4),
      'am I',
    );

    await vscode.commands.executeCommand('managedAgents.request.revealSource');
    assert.equal(vscode.window.activeTextEditor?.document, source);
    assert.deepEqual(vscode.window.activeTextEditor?.selection.active, new vscode.Position(1, column));
    const again = await editLine(source, 1);
    assert.equal(again, lens);
  });

  it('saves into the line and nowhere else, and the source into its file', async () => {
    const lines = [whole('a'), whole('b').replace('64', '6.40e1'), whole('c')];
    const source = await openFile('save.jsonl', lines, '\r\n');
    const lens = await editLine(source, 1);
    await replaceIn(lens, '"Hello"', '"Good\\u0020day"');
    assert.equal(await lens.save(), true);
    const expected = lines.with(1, (lines[1] ?? '').replace('"Hello"', '"Good\\u0020day"'));
    assert.equal(onDisk('save.jsonl'), `${expected.join('\r\n')}\r\n`);
    assert.equal(source.isDirty, false);
    assert.equal(lens.isDirty, false);

    await undoIn(source);
    assert.equal(source.lineAt(1).text, lines[1]);
    await until(() => lens.getText().includes('"Hello"'));
    assert.equal(lens.isDirty, false);
  });

  it('leaves a source that had unsaved changes unsaved', async () => {
    const source = await openFile('unsaved.jsonl', [whole('a'), whole('b')]);
    await replaceIn(source, '"a"', '"first"');
    const lens = await editLine(source, 1);
    await replaceIn(lens, '64', '65');
    assert.equal(await lens.save(), true);
    assert.equal(source.isDirty, true);
    assert.match(source.lineAt(1).text, /65/);
    assert.doesNotMatch(onDisk('unsaved.jsonl'), /65|first/);
    await vscode.window.showTextDocument(source, vscode.ViewColumn.One);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(() => lens.getText().includes('64'));
    assert.equal(lens.isDirty, false);
  });

  it('keeps the bytes of a line whatever white space was put around its tokens', async () => {
    const line = '  { "custom_id":"a" ,"params" :{ "model":"m","max_tokens": 1.0,"messages":[ ]} }\t';
    const source = await openFile('spaces.jsonl', [line, whole('b')]);
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

  it('follows its line when lines come and go, and when it is edited', async () => {
    const source = await openFile('follow.jsonl', [whole('a'), whole('b'), whole('c')]);
    const lens = await editLine(source, 1);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(source.uri, new vscode.Position(0, 0), `${whole('new')}\n\n`);
    edit.delete(source.uri, new vscode.Range(2, 0, 3, 0));
    await vscode.workspace.applyEdit(edit);
    await replaceIn(source, '"b", "params": {"model": "vendor-haiku-4-5"', '"b", "params": {"model": "vendor-opus-5"');
    await until(() => lens.getText().includes('vendor-opus-5'));
    await replaceIn(lens, '64', '128');
    assert.equal(await lens.save(), true);
    assert.equal(source.lineAt(3).text, whole('b').replace('vendor-haiku-4-5', 'vendor-opus-5').replace('64', '128'));
    assert.equal(source.lineAt(2).text, whole('a'));
  });

  it('brings changes of both together where they touch different places', async () => {
    const source = await openFile('merge.jsonl', [whole('a')]);
    const lens = await editLine(source, 0);
    await replaceIn(lens, '"Hello"', '"Mine"');
    await replaceIn(source, '64', '1024');
    await until(() => lens.getText().includes('1024'));
    assert.ok(lens.isDirty && lens.getText().includes('"Mine"'));
    assert.equal(await lens.save(), true);
    assert.equal(source.lineAt(0).text, whole('a', 'Mine').replace('64', '1024'));
  });

  it('refuses to save over a change of the same place, until the user chose', async () => {
    const source = await openFile('conflict.jsonl', [whole('a')]);
    const lens = await editLine(source, 0);
    await replaceIn(lens, '"Hello"', '"Mine!"');
    await replaceIn(source, '"Hello"', '"Other"');
    // VS Code tells it, with its own buttons to compare and to overwrite.
    assert.equal(await trySaving(lens), false);
    assert.ok(lens.isDirty && lens.getText().includes('"Mine!"'));
    assert.match(source.lineAt(0).text, /"Other"/);

    await vscode.window.showTextDocument(lens);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(() => lens.getText().includes('"Other"'));
    await replaceIn(lens, '"Other"', '"Third"');
    assert.equal(await lens.save(), true);
    assert.match(source.lineAt(0).text, /"Third"/);
  });

  it('takes a conflict back when the source takes its change back', async () => {
    const source = await openFile('back.jsonl', [whole('a')]);
    const lens = await editLine(source, 0);
    await replaceIn(lens, '"Hello"', '"Mine!"');
    await replaceIn(source, '"Hello"', '"Other"');
    assert.equal(await trySaving(lens), false);
    await undoIn(source);
    assert.equal(await lens.save(), true);
    assert.match(source.lineAt(0).text, /"Mine!"/);
  });

  it('never writes over another line when its own is gone, and finds it again', async () => {
    const source = await openFile('gone.jsonl', [whole('a'), whole('b'), whole('c')]);
    const lens = await editLine(source, 1);
    await replaceIn(lens, '64', '65');
    const edit = new vscode.WorkspaceEdit();
    edit.delete(source.uri, new vscode.Range(1, 0, 2, 0));
    await vscode.workspace.applyEdit(edit);
    // Nobody pressed a key, so nobody is asked.
    await assert.rejects(Promise.resolve(vscode.workspace.fs.writeFile(lens.uri, Buffer.from(lens.getText()))), /no longer in gone\.jsonl/);
    assert.equal(source.getText(), `${whole('a')}\n${whole('c')}\n`);
    assert.match(lens.getText(), /65/);
    await undoIn(source);
    assert.equal(await lens.save(), true);
    assert.equal(source.lineAt(1).text, whole('b').replace('64', '65'));
  });

  it('edits bare params as what they are', async () => {
    const source = await openFile('bare.jsonl', [bare('One?'), bare('Two?')]);
    const lens = await editLine(source, 1);
    assert.match(lens.uri.path, /\/line 2\.params\.json$/);
    await replaceIn(lens, 'Two?', 'Zwei?');
    assert.equal(await lens.save(), true);
    assert.equal(onDisk('bare.jsonl'), `${bare('One?')}\n${bare('Zwei?')}\n`);
  });

  it('edits a line of a file that no editor has open, however large', async () => {
    const file = toPath('huge-edit.jsonl');
    const piece = Array.from({ length: 20_000 }, (_, index) => whole(`ID${index}`, 'word '.repeat(18))).join('\n');
    writeFileSync(file, '');
    for (let part = 0; part < 14; part++) {
      appendFileSync(file, `${piece.replaceAll('"ID', `"part-${part}-`)}\n`);
    }
    const uri = vscode.Uri.file(file);
    await assert.rejects(Promise.resolve(vscode.workspace.openTextDocument(uri)), /50MB/);
    const before = readFileSync(file);
    const lens = await editLine(uri, 100_001);
    assert.match(lens.uri.path, /part-5-1\.request\.json$/);
    await replaceIn(lens, '64', '65');
    assert.equal(await lens.save(), true);
    const after = readFileSync(file);
    assert.equal(after.length, before.length);
    const at = after.findIndex((byte, index) => byte !== before[index]);
    assert.equal(after[at], '5'.charCodeAt(0));
    assert.ok(before.subarray(at + 1).equals(after.subarray(at + 1)));
    rmSync(file);
  });

  it('follows a closed file that others write, and one that was renamed', async () => {
    writeFileSync(toPath('closed.jsonl'), `${whole('a')}\n${whole('b')}\n`);
    const lens = await editLine(vscode.Uri.file(toPath('closed.jsonl')), 1);
    writeFileSync(toPath('closed.jsonl'), `${whole('new')}\n${whole('a')}\n${whole('b')}`);
    await replaceIn(lens, '64', '65');
    assert.equal(await lens.save(), true);
    assert.equal(onDisk('closed.jsonl'), `${whole('new')}\n${whole('a')}\n${whole('b').replace('64', '65')}`);

    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(vscode.Uri.file(toPath('closed.jsonl')), vscode.Uri.file(toPath('renamed.jsonl')), { overwrite: true });
    assert.equal(await vscode.workspace.applyEdit(edit), true);
    await replaceIn(lens, '65', '66');
    assert.equal(await lens.save(), true);
    assert.match(onDisk('renamed.jsonl'), /66/);
    renameSync(toPath('renamed.jsonl'), toPath('elsewhere.jsonl'));
    await replaceIn(lens, '66', '67');
    assert.equal(await trySaving(lens), false);
    assert.ok(lens.isDirty && lens.getText().includes('67'));
  });

  it('refuses a text over several lines in words, and keeps it', async () => {
    const source = await openFile('refuse.jsonl', [whole('a')]);
    const lens = await editLine(source, 0);
    await replaceIn(lens, '"Hello"', '"Hello\n');
    await assert.rejects(Promise.resolve(vscode.workspace.fs.writeFile(lens.uri, Buffer.from(lens.getText()))), /line 9 is not closed/);
    assert.equal(await trySaving(lens), false);
    assert.equal(source.lineAt(0).text, whole('a'));
  });

  it('shows and saves a line with broken JSON', async () => {
    const broken = whole('a').replace('64,', '64');
    const source = await openFile('broken.jsonl', [whole('b'), broken]);
    const lens = await editLine(source, 1);
    await replaceIn(lens, '64', '64,');
    assert.equal(await lens.save(), true);
    assert.equal(source.lineAt(1).text, whole('a').replace('64, ', '64, '));
  });

  it('reads and writes UTF-8 whatever encoding the user has set for files', async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
    try {
      writeFileSync(toPath('encoding.jsonl'), `${whole('a', 'Grüße 😀')}\n`);
      const lens = await editLine(vscode.Uri.file(toPath('encoding.jsonl')), 0);
      assert.match(lens.getText(), /"Grüße 😀"/);
      await replaceIn(lens, '64', '65');
      assert.equal(await lens.save(), true);
      assert.equal(onDisk('encoding.jsonl'), `${whole('a', 'Grüße 😀').replace('64', '65')}\n`);
    } finally {
      await files.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('goes on to the next request and back, over empty lines', async () => {
    const source = await openFile('next.jsonl', [whole('a'), '', whole('b')]);
    await editLine(source, 0);
    await untilActive(/next\.jsonl\/a\.request/);
    await vscode.commands.executeCommand('managedAgents.request.editNext');
    await untilActive(/\/b\.request/);
    assert.equal(vscode.window.activeTextEditor?.viewColumn, vscode.ViewColumn.Two);
    const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
    assert.deepEqual(
      tabs.map(({ label }) => label),
      ['next.jsonl', 'b.request.json'],
    );
    await vscode.commands.executeCommand('managedAgents.request.editNext');
    assert.match(activeLens().uri.path, /\/b\.request/);
    await vscode.commands.executeCommand('managedAgents.request.editPrevious');
    await untilActive(/\/a\.request/);
  });

  it('completes by the schema and checks by the rules, nothing said twice', async () => {
    // VS Code itself says that a name stands twice: by then it has said all it has to say.
    const source = await openFile('schema.jsonl', [
      whole('u 1')
        .replace('"x":  1.0', '"thinking": {"type": "enabled", "budget_tokens": 2048}, "x": 1, "x": 2')
        .replace('"messages"', '"masseges"'),
    ]);
    const lens = await editLine(source, 0);
    const at = lens.positionAt(lens.getText().indexOf('"params": {') + '"params": {'.length);
    const list = await eventually(async () => {
      const found = await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', lens.uri, at);
      return found.items.some(({ label }) => label === 'system') ? found : undefined;
    });
    assert.ok(list.items.some(({ label }) => label === 'stop_sequences'));
    const all = await eventually(() => {
      const found = vscode.languages.getDiagnostics(lens.uri);
      const isWhole = found.some(isOurs) && found.some(diagnostic => !isOurs(diagnostic));
      return isWhole ? found : undefined;
    });
    assert.deepEqual([...new Set(all.filter(diagnostic => !isOurs(diagnostic)).map(({ range }) => lens.getText(range)))], ['"x"']);
    const rules = new Map(all.filter(isOurs).map(diagnostic => [ruleOf(diagnostic), diagnostic]));
    assert.deepEqual(
      ['text-pattern', 'missing-field', 'thinking-budget'].filter(rule => !rules.has(rule)),
      [],
    );
    const pattern = rules.get('text-pattern');
    assert.equal(pattern && lens.getText(pattern.range), '"u 1"');
    assert.equal(pattern?.severity, vscode.DiagnosticSeverity.Error);
    assert.ok(typeof pattern.code === 'object' && 'target' in pattern.code);
  });

  it('explains fields by the schema', async () => {
    const source = await openFile('hover.jsonl', [whole('a')]);
    const lens = await editLine(source, 0);
    const at = lens.positionAt(lens.getText().indexOf('max_tokens') + 2);
    await eventually(async () => {
      const found = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', lens.uri, at);
      return found.length > 0 ? found : undefined;
    });
  });

  it('completes and checks bare params by their own schema', async () => {
    const source = await openFile('bareSchema.jsonl', [bare('One?').replace('64', '"64"')]);
    const lens = await editLine(source, 0);
    await eventually(() => vscode.languages.getDiagnostics(lens.uri).find(diagnostic => ruleOf(diagnostic) === 'wrong-type'));
    const at = lens.positionAt(1);
    await eventually(async () => {
      const found = await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', lens.uri, at);
      return found.items.find(({ label }) => label === 'system');
    });
  });

  it('takes problems away with the tab that shows them, and brings them back with it', async () => {
    const source = await openFile('tabs.jsonl', [whole('u 1')]);
    const lens = await editLine(source, 0);
    const problems = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).filter(isOurs).length;
    await until(() => problems(lens.uri) > 0 && problems(source.uri) > 0);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await until(() => problems(lens.uri) === 0);
    assert.ok(problems(source.uri) > 0);
    await vscode.window.showTextDocument(source, vscode.ViewColumn.One);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await until(() => problems(source.uri) === 0);
    await vscode.window.showTextDocument(source, vscode.ViewColumn.One);
    await until(() => problems(source.uri) > 0);
    const again = await editLine(source, 0);
    await until(() => problems(again.uri) > 0);
  });

  it('refuses to write into a file that is read-only in the editor', async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('readonlyInclude', { '**/kept.jsonl': true }, vscode.ConfigurationTarget.Global);
    try {
      const source = await openFile('kept.jsonl', [whole('a')]);
      const lens = await editLine(source, 0);
      await replaceIn(lens, '64', '65');
      await assert.rejects(
        Promise.resolve(vscode.workspace.fs.writeFile(lens.uri, Buffer.from(lens.getText()))),
        /kept\.jsonl is read-only/,
      );
      assert.equal(await trySaving(lens), false);
      assert.ok(lens.isDirty);
      assert.equal(source.getText(), `${whole('a')}\n`);
    } finally {
      await files.update('readonlyInclude', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('stays unsaved as long as its source cannot be saved', async () => {
    const source = await openFile('locked.jsonl', [whole('a')]);
    const lens = await editLine(source, 0);
    await replaceIn(lens, '64', '65');
    // Nobody can write where a folder stands, not even who may do everything.
    renameSync(toPath('locked.jsonl'), toPath('aside.jsonl'));
    mkdirSync(toPath('locked.jsonl'));
    assert.equal(await trySaving(lens), false);
    assert.ok(lens.isDirty);
    assert.equal(await trySaving(lens), false);
    assert.ok(lens.isDirty);
    rmdirSync(toPath('locked.jsonl'));
    renameSync(toPath('aside.jsonl'), toPath('locked.jsonl'));
    assert.equal(await lens.save(), true);
    assert.equal(onDisk('locked.jsonl'), `${whole('a').replace('64', '65')}\n`);
    assert.equal(source.isDirty, false);
  });

  it('leaves a closed file alone that may not be written', async () => {
    writeFileSync(toPath('closedLocked.jsonl'), `${whole('a')}\n`);
    chmodSync(toPath('closedLocked.jsonl'), 0o444);
    const lens = await editLine(vscode.Uri.file(toPath('closedLocked.jsonl')), 0);
    await replaceIn(lens, '64', '65');
    assert.equal(await trySaving(lens), false);
    assert.ok(lens.isDirty);
    assert.equal(onDisk('closedLocked.jsonl'), `${whole('a')}\n`);
    chmodSync(toPath('closedLocked.jsonl'), 0o644);
    assert.equal(await lens.save(), true);
    assert.match(onDisk('closedLocked.jsonl'), /65/);
  });

  it('never makes a deleted source again unasked', async () => {
    const source = await openFile('deleted.jsonl', [whole('a')]);
    const lens = await editLine(source, 0);
    await replaceIn(lens, '64', '65');
    rmSync(toPath('deleted.jsonl'));
    // Nobody pressed a key, so nobody is asked.
    await assert.rejects(
      Promise.resolve(vscode.workspace.fs.writeFile(lens.uri, Buffer.from(lens.getText()))),
      /deleted\.jsonl was deleted/,
    );
    assert.equal(existsSync(toPath('deleted.jsonl')), false);
    assert.ok(lens.isDirty);
    assert.equal(source.getText(), `${whole('a')}\n`);
  });

  it('names only its file and its request in its address', async () => {
    const source = await openFile('crumbs.jsonl', [whole('a')]);
    const lens = await editLine(source, 0);
    assert.equal(lens.uri.path, '/crumbs.jsonl/a.request.json');
  });

  it('edits nothing of a file that holds no requests', async () => {
    const source = await openFile('log.jsonl', ['{"level": "info", "msg": "started"}']);
    await vscode.commands.executeCommand('managedAgents.request.edit');
    assert.equal(vscode.window.activeTextEditor?.document, source);
  });

  it('has a lens at each request', async () => {
    const source = await openFile('lens.jsonl', [whole('a')]);
    const lens = await eventually(async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', source.uri);
      return lenses.find(({ command }) => command?.command === 'managedAgents.request.edit');
    });
    await vscode.commands.executeCommand(lens.command?.command ?? '', ...(lens.command?.arguments ?? []));
    assert.match(activeLens().getText(), /"custom_id": "a"/);
  });
});
