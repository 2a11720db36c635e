import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { eventually } from '../eventually';
import { connectPage } from '../page';
import { useExtension, withSetting } from '../useExtension';

const params = (more = '') => `{"model": "vendor-opus-5", "max_tokens": 64, "messages": [{"role": "user", "content": "Hi"}]${more}}`;
const request = (id: string, more = '') => `{"custom_id": "${id}", "params": ${params(more)}}`;

/** Groups of entries in the light bulb, in order. */
const order = ['fix', 'file', 'rule'];

/** Returns the problems of a document, once there are `count`. */
async function problemsOf(document: vscode.TextDocument, count: number): Promise<readonly vscode.Diagnostic[]> {
  return await eventually(() => {
    const ours = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'managed-agents');
    return ours.length >= count && ours;
  });
}

async function actionsAt(
  document: vscode.TextDocument,
  range: vscode.Range,
  kind?: vscode.CodeActionKind,
): Promise<readonly vscode.CodeAction[]> {
  return await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    range,
    kind?.value,
    20,
  );
}

function wholeOf(document: vscode.TextDocument): vscode.Range {
  return new vscode.Range(0, 0, document.lineCount, 0);
}

describe('fixes of request files', () => {
  const page = connectPage();
  const files = useExtension('fixes');

  after(() => page.close());

  const open = async (name: string, lines: readonly string[]) => await files.open(name, lines.join('\n'));

  it('leave a file unchanged that is read-only in the editor @ci', async () => {
    await withSetting('files.readonlyInclude', { '**/fix-kept.jsonl': true }, async () => {
      const lines = [request('a', ', "stream": true'), request('b')];
      const document = await open('fix-kept.jsonl', lines);
      await problemsOf(document, 1);
      await vscode.commands.executeCommand('managedAgents.file.fix', document.uri, 'safe');
      assert.equal(document.getText(), lines.join('\n'));
    });
  });

  it('are offered on the problems of a line, each one undo step', async () => {
    const lines = [request('a', ', "stream": true'), request('b')];
    const document = await open('fix-one.jsonl', lines);
    const [problem] = await problemsOf(document, 1);
    const actions = await actionsAt(document, problem?.range ?? assert.fail());
    const titles = actions.map(({ title }) => title);
    const remove = actions.find(({ title }) => title === 'Remove stream') ?? assert.fail(titles.join());
    assert.equal(remove.isPreferred, true);
    for (const title of [
      'Fix all stream-in-batch problems',
      'Fix all auto-fixable problems',
      'Explain stream-in-batch',
      'Change the severity of stream-in-batch...',
    ]) {
      assert.ok(titles.includes(title), titles.join('\n'));
    }
    await vscode.workspace.applyEdit(remove.edit ?? assert.fail());
    assert.equal(document.getText(), [request('a'), request('b')].join('\n'));
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), lines.join('\n'));
  });

  it("aren't offered on other files @ci", async () => {
    // Actions on a request file show that the fix provider is registered.
    const requests = await open('fix-real.jsonl', [request('a', ', "stream": true')]);
    await problemsOf(requests, 1);
    assert.ok((await actionsAt(requests, wholeOf(requests))).some(({ title }) => /safe answer|Explain/.test(title)));
    const document = await open('log-fix.jsonl', ['{"level":"info","message":"x","timestamp":1}']);
    assert.deepEqual(
      (await actionsAt(document, wholeOf(document))).filter(({ title }) => /safe answer|Explain/.test(title)),
      [],
    );
  });

  it("move the user's fields to a separate file, by a quick fix on one of them", async () => {
    const own = request('a').replace('{', '{"row": 7, ');
    const document = await open('fix-own.jsonl', [own, request('b')]);
    const [problem] = await problemsOf(document, 1);
    const title = 'Move extra fields of all requests to fix-own.fields.jsonl';
    const action = (await actionsAt(document, problem?.range ?? assert.fail())).find(candidate => candidate.title === title);
    await vscode.commands.executeCommand(action?.command?.command ?? assert.fail(), ...(action?.command?.arguments ?? []));
    assert.equal(document.getText(), [request('a'), request('b')].join('\n'));
    const beside = document.uri.with({ path: document.uri.path.replace('.jsonl', '.fields.jsonl') });
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(beside)).toString(), '{"custom_id": "a","row": 7}\n');

    // Later fixes append to the file, even if it has no final line break.
    await vscode.workspace.fs.writeFile(beside, Buffer.from('{"custom_id": "a","row": 7}'));
    const insert = new vscode.WorkspaceEdit();
    insert.insert(document.uri, new vscode.Position(0, 1), '"seen": true, ');
    await vscode.workspace.applyEdit(insert);
    await problemsOf(document, 1);
    await vscode.commands.executeCommand('managedAgents.file.fix', document.uri, 'extra-fields');
    assert.equal(
      Buffer.from(await vscode.workspace.fs.readFile(beside)).toString(),
      '{"custom_id": "a","row": 7}\n{"custom_id": "a","seen": true}\n',
    );
  });

  it("list all fixes first, then the file's, and explain only the rule at the cursor @ci", async () => {
    const document = await open('fix-order.jsonl', [request('a b', ', "stream": true, "temperature": 0.2')]);
    const problems = await problemsOf(document, 3);
    const stream = problems.find(({ message }) => message.includes('stream')) ?? assert.fail();
    const titles = (await actionsAt(document, new vscode.Range(stream.range.start, new vscode.Position(0, 900)))).map(({ title }) => title);
    const kinds = titles.map(title =>
      /^(?:Explain|Change the sev|Run|Edit)/.test(title) ? 'rule' : title.startsWith('Fix ') ? 'file' : 'fix',
    );
    assert.deepEqual(
      kinds,
      [...kinds].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
      titles.join('\n'),
    );
    assert.deepEqual(
      titles.filter(title => title.startsWith('Explain')),
      ['Explain stream-in-batch'],
    );
    assert.equal(titles.filter(title => title === 'Remove temperature').length, 1);
  });

  it('fix every wrong role of a long line @ci', async () => {
    const messages = Array.from({ length: 4000 }, () => '{"role": "User", "content": "x"}').join(', ');
    const line = request('a').replace(/"messages": \[.*\]/, `"messages": [${messages}]`);
    const document = await open('fix-long.jsonl', [line]);
    await problemsOf(document, 999);
    const actions = await actionsAt(document, new vscode.Range(0, 0, 0, line.length), vscode.CodeActionKind.QuickFix);
    assert.ok(actions.filter(({ title }) => title === 'Change it to user').length > 10);
    await vscode.commands.executeCommand('managedAgents.file.fix', document.uri, 'safe');
    assert.equal(document.getText(), line.replaceAll('"User"', '"user"'));
  });

  it('change nothing in files without requests @ci', async () => {
    const log = Array.from({ length: 50 }, () => '{"level":"info","msg":"x","model":"m","ts":1}');
    for (const [name, lines] of [
      ['fix-log.jsonl', log],
      ['fix-nothing.jsonl', ['']],
    ] as const) {
      const document = await open(name, lines);
      await vscode.commands.executeCommand('managedAgents.file.fix', document.uri);
      assert.equal(document.getText(), lines.join('\n'));
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('de-duplicate IDs against the whole file', async () => {
    const document = await open('fix-ids.jsonl', [request('a'), request('a-2'), request('a')]);
    const problems = await problemsOf(document, 2);
    const last = problems.find(({ range }) => range.start.line === 2) ?? assert.fail();
    const action = (await actionsAt(document, last.range)).find(({ isPreferred }) => isPreferred) ?? assert.fail();
    assert.equal(action.title, 'Change the ID to a-3');
    const removal = (await actionsAt(document, last.range)).find(({ title }) => title === 'Remove duplicate request');
    await vscode.workspace.applyEdit(removal?.edit ?? assert.fail());
    assert.equal(document.getText(), `${request('a')}\n${request('a-2')}\n`);
  });

  it('wrap bare params on request @ci', async () => {
    const document = await open('fix-bare.jsonl', [params(), params()]);
    const actions = await rewritesOf(document, 1);
    await vscode.workspace.applyEdit(actions[0]?.edit ?? assert.fail());
    assert.equal(document.lineAt(1).text, request('line-2'));
  });

  it('fix everything safe as one undo step, and keep other lines', async () => {
    const lines = [
      request('a'),
      '',
      `{'custom_id': 'a', 'params': ${params(', "stream": True,')}}`,
      `{"params": ${params()}}`,
      request('b', ', "zzz": 1'),
    ];
    const document = await open('fix-all.jsonl', lines);
    await problemsOf(document, 3);
    await vscode.commands.executeCommand('managedAgents.file.fix', document.uri, 'safe');
    const fixed = [request('a'), request('a-2'), request('line-3'), request('b', ', "zzz": 1')].join('\n');
    assert.equal(document.getText(), fixed);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), lines.join('\n'));
  });

  it('fix one rule of the whole file @ci', async () => {
    const document = await open('fix-rule.jsonl', [request('a b', ', "stream": true'), request('c', ', "stream": true')]);
    await problemsOf(document, 3);
    await vscode.commands.executeCommand('managedAgents.file.fix', document.uri, 'stream-in-batch');
    assert.equal(document.getText(), [request('a b'), request('c')].join('\n'));
  });

  it('fix on save by source.fixAll', async () => {
    const document = await open('fix-save.jsonl', [request('a', ', "stream": true'), request('a')]);
    await problemsOf(document, 2);
    const settings = vscode.workspace.getConfiguration('editor', document.uri);
    await settings.update('codeActionsOnSave', { 'source.fixAll.managedAgents': 'explicit' }, vscode.ConfigurationTarget.Workspace);
    try {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(1, 0), ' ');
      await vscode.workspace.applyEdit(edit);
      await document.save();
      assert.equal(files.read('fix-save.jsonl').trimEnd(), `${request('a')}\n ${request('a-2')}`);
    } finally {
      await settings.update('codeActionsOnSave', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('are fast with a thousand problems, and with a large document @ci', async () => {
    const document = await open(
      'fix-many.jsonl',
      Array.from({ length: 3000 }, (_, index) => request(`r-${index}`, ', "stream": true')),
    );
    await problemsOf(document, 999);
    const actions = await actionsAt(document, wholeOf(document), vscode.CodeActionKind.QuickFix);
    assert.ok(actions.length > 10 && actions.length < 400, String(actions.length));
    await vscode.commands.executeCommand('managedAgents.file.fix', document.uri, 'stream-in-batch');
    assert.equal(document.lineAt(2999).text, request('r-2999'));
    assert.ok(!document.getText().includes('stream'));
    await vscode.commands.executeCommand('undo');
    const stays = Array.from({ length: 3000 }, (_, line) => line).filter(line => !document.lineAt(line).text.includes('stream'));
    assert.deepEqual(stays, []);
    assert.equal(document.isDirty, false);
  });

  it('change very many lines of a document behind another @ci', async () => {
    const document = await open(
      'fix-behind.jsonl',
      Array.from({ length: 1500 }, (_, index) => request(`r-${index}`, ', "stream": true')),
    );
    await problemsOf(document, 999);
    await open('fix-front.jsonl', [request('a')]);
    await vscode.commands.executeCommand('managedAgents.file.fix', document.uri, 'stream-in-batch');
    assert.ok(!document.getText().includes('stream'));
    assert.equal(document.lineAt(1499).text, request('r-1499'));
  });

  it('replace a closed file, and keep the old one', async () => {
    const file = files.write('fix-disk.jsonl', `\ufeff${request('a', ', "stream": true')}\r\n${request('b')}`);
    const running = vscode.commands.executeCommand('managedAgents.file.fix', file, 'safe');
    await acceptUntil(() => existsSync(files.at('fix-disk.before.jsonl')));
    await running;
    assert.equal(files.read('fix-disk.jsonl'), `\ufeff${request('a')}\r\n${request('b')}`);
  });

  it('create IDs in an open document @ci', async () => {
    const document = await open('make-ids.jsonl', [request('keep'), params(), `{"params": ${params()}}`]);
    const running = vscode.commands.executeCommand('managedAgents.requests.editAll', document.uri);
    await page.quickPick('Generate Custom IDs');
    await acceptUntil(() => document.isDirty);
    await running;
    assert.equal(document.getText(), [request('keep'), request('request-2'), request('request-3')].join('\n'));
    await vscode.commands.executeCommand('undo');
    assert.equal(document.lineAt(1).text, params());
  });
});

/** Accepts what each picker proposes until `isDone`. */
async function acceptUntil(isDone: () => boolean): Promise<void> {
  await eventually(async () => {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    return isDone();
  });
}

/** Returns the rewrites of a line, once the document has been checked. */
async function rewritesOf(document: vscode.TextDocument, line: number): Promise<readonly vscode.CodeAction[]> {
  return await eventually(async () => {
    const all = await actionsAt(document, new vscode.Range(line, 0, line, 0), vscode.CodeActionKind.RefactorRewrite);
    const found = all.filter(({ title }) => title.startsWith('Wrap in a request'));
    return found.length > 0 && found;
  });
}
