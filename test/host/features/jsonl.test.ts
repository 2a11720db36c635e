import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventually, eventuallyHolds } from '../eventually';
import { connectPage } from '../page';
import { useExtension, workspaceFolder } from '../useExtension';

const whole = (id: string, words = 'Hello') =>
  JSON.stringify({ custom_id: id, params: { model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content: words }] } });

function ourDiagnostics(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(diagnostic => diagnostic.source === 'managed-agents');
}

/** Returns the problems of a document, once there are `count`. */
async function diagnosticsOf(uri: vscode.Uri, count: number): Promise<vscode.Diagnostic[]> {
  return await eventually(() => {
    const all = ourDiagnostics(uri);
    assert.equal(all.length, count);
    return all;
  });
}

async function ourLenses(uri: vscode.Uri): Promise<vscode.CodeLens[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
  return lenses.filter(lens => /^managedAgents\.|markers/.test(lens.command?.command ?? '') || lens.command?.title === 'Checking…');
}

/** Returns the lenses of a file after its checks, once one of them contains `title`. */
async function settledLenses(uri: vscode.Uri, title = /\d requests?[,)]/): Promise<vscode.CodeLens[]> {
  return await eventually(async () => {
    const lenses = await ourLenses(uri);
    return lenses.some(lens => title.test(lens.command?.title ?? '')) && lenses;
  });
}

function titles(lenses: readonly vscode.CodeLens[], line: number): string[] {
  return lenses.filter(lens => lens.range.start.line === line).map(lens => (lens.command?.title ?? '').replace(/\$\([a-z-]+\)\s/g, ''));
}

/** Returns the text of the visible document of a scheme, once it matches. */
async function documentText(scheme: string, pattern: RegExp): Promise<string> {
  return await eventually(() => {
    const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.scheme === scheme)?.document.getText() ?? '';
    assert.match(shown, pattern);
    return shown;
  });
}

async function edit(document: vscode.TextDocument, change: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
  const workspaceEdit = new vscode.WorkspaceEdit();
  change(workspaceEdit);
  assert.equal(await vscode.workspace.applyEdit(workspaceEdit), true, document.uri.toString());
}

describe('features/requests', () => {
  const page = connectPage();
  const files = useExtension('jsonl');
  const openFile = async (name: string, lines: readonly string[]) => await files.open(name, `${lines.join('\n')}\n`);

  after(() => page.close());

  it('shows lenses only on the first line, wherever the cursor is', async () => {
    const document = await openFile('lenses.jsonl', [whole('a'), '', whole('b')]);
    await settledLenses(document.uri);
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor?.document === document);
    editor.selection = new vscode.Selection(2, 4, 2, 4);
    const lenses = await settledLenses(document.uri);
    assert.deepEqual(titles(lenses, 0), ['Create Batch (2 requests)', 'No connection', 'More...']);
    assert.equal(lenses.length, 3);
  });

  it("offers a request's actions in the light bulb and the hover of its line", async () => {
    const document = await openFile('acts.jsonl', [whole('a'), '']);
    await settledLenses(document.uri);
    const actionsAt = async (line: number) =>
      (
        await vscode.commands.executeCommand<vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          document.uri,
          new vscode.Range(line, 9, line, 9),
        )
      )
        .map(({ title }) => title)
        .filter(title => /Request|Answer|Results/.test(title));
    assert.deepEqual(await actionsAt(0), ['Run This Request', 'Edit Request']);
    assert.deepEqual(await actionsAt(1), []);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(0, 3),
    );
    const texts = hovers.flatMap(({ contents }) => contents.map(content => (content as vscode.MarkdownString).value));
    assert.ok(
      texts.some(text => /^\[Run This Request\]\(command:\S+\) · \[Edit Request\]/.test(text)),
      texts.join('\n'),
    );
  });

  it('adds a request to an empty file from its lens', async () => {
    const document = await openFile('new.jsonl', ['']);
    const lens = (await eventually(async () => (await ourLenses(document.uri))[0]))?.command;
    assert.match(lens?.title ?? '', /New Request$/);
    await vscode.commands.executeCommand(lens?.command ?? '', ...(lens?.arguments ?? []));
    await eventuallyHolds(() =>
      assert.match(document.getText(), /^\{"custom_id": "request-1", "params": \{"model": ".+", "max_tokens": 1024,/),
    );
  });

  it('lists more actions on a file behind a lens, and performs the chosen one @ci', async () => {
    const document = await openFile('more.jsonl', [whole('a')]);
    const more = (await settledLenses(document.uri)).find(({ command }) => command?.title === 'More...')?.command;
    const chosen = vscode.commands.executeCommand(more?.command ?? '', ...(more?.arguments ?? []));
    const entries = (await page.quickPickTexts()).map(text => text.trim());
    assert.deepEqual(entries, ['Create and Send Batch...', 'Edit All Requests...', 'Fix Problems...', 'Arrange Requests...']);
    await page.screenshot('jsonl-more-actions');
    await page.quickPick('Arrange Requests...');
    await page.quickPick('Shuffle...');
    await page.inputBox('seven');
    await chosen;
    await eventually(() => existsSync(document.uri.fsPath.replace('.jsonl', '.shuffled.jsonl')));
  });

  it('shows nothing on a log, and on results only the link to their table', async () => {
    const log = await openFile('log.jsonl', ['{"level":"info","message":"started","timestamp":1}']);
    const results = await openFile('a.results.jsonl', ['{"custom_id":"a","line":1,"result":{"type":"expired"}}']);
    const requests = await openFile('real.jsonl', [whole('a')]);
    await settledLenses(requests.uri);
    assert.deepEqual(await ourLenses(log.uri), []);
    assert.deepEqual(
      (await ourLenses(results.uri)).map(({ command }) => command?.command),
      ['managedAgents.results.show'],
    );
    for (const document of [log, results]) {
      assert.deepEqual(ourDiagnostics(document.uri), []);
    }
  });

  it('follows a file that becomes a request file and stops being one', async () => {
    const document = await openFile('turns.jsonl', ['{"level":"info"}']);
    const lineRange = () => document.lineAt(0).range;
    await edit(document, change => change.replace(document.uri, lineRange(), whole('a b')));
    await diagnosticsOf(document.uri, 1);
    await edit(document, change => change.replace(document.uri, lineRange(), '{"level":"info"}'));
    await diagnosticsOf(document.uri, 0);
    assert.deepEqual(await ourLenses(document.uri), []);
  });

  it('shows problems at their exact ranges while typing', async () => {
    const lines = [whole('a'), whole('b').replace('64', '"64"'), whole('a')];
    const document = await openFile('problems.jsonl', lines);
    const found = await diagnosticsOf(document.uri, 3);
    const at = ({ range, code }: vscode.Diagnostic) => [
      range.start.line,
      document.getText(range),
      typeof code === 'object' ? code.value : code,
    ];
    assert.deepEqual(
      found.map(at).sort((a, b) => Number(a[0]) - Number(b[0])),
      [
        [0, '"a"', 'duplicate-id'],
        [1, '"64"', 'wrong-type'],
        [2, '"a"', 'duplicate-id'],
      ],
    );
    assert.equal(found.find(diagnostic => diagnostic.range.start.line === 2)?.relatedInformation?.[0]?.location.range.start.line, 0);

    const column = (lines[1] ?? '').indexOf('"64"');
    await edit(document, change => {
      change.insert(document.uri, new vscode.Position(0, 0), `${whole('first')}\n`);
      change.replace(document.uri, new vscode.Range(1, column, 1, column + 4), '64');
    });
    const after = await diagnosticsOf(document.uri, 2);
    assert.deepEqual(after.map(diagnostic => diagnostic.range.start.line).sort(), [1, 3]);
  });

  it('shows the worst thousand problems and counts the rest @ci', async () => {
    const lines = [whole('a'), ...Array.from({ length: 1500 }, () => '{"custom_id":"b"}')];
    const document = await openFile('many.jsonl', lines);
    const found = await diagnosticsOf(document.uri, 1000);
    const last = found.find(diagnostic => diagnostic.code === 'more-problems');
    assert.match(last?.message ?? '', /^[\d,]+ more problems.*Check Request File/);
    assert.equal(last?.severity, vscode.DiagnosticSeverity.Error);
  });

  it('reports no error if there are too many hints to show @ci', async () => {
    const hinted = (id: number) => whole(`id-${id}`).replace('"max_tokens"', '"temperature":1,"max_tokens"');
    const document = await openFile(
      'hints.jsonl',
      Array.from({ length: 1500 }, (_, line) => hinted(line)),
    );
    const found = await diagnosticsOf(document.uri, 1000);
    assert.deepEqual(
      found.filter(({ severity }) => severity !== vscode.DiagnosticSeverity.Hint).map(({ message }) => message),
      [],
    );
  });

  it("checks the editor's unsaved text @ci", async () => {
    const document = await openFile('dirty.jsonl', [whole('a')]);
    await edit(document, change => change.insert(document.uri, new vscode.Position(1, 0), '{"custom_id":"x"}\n'));
    await vscode.commands.executeCommand('managedAgents.file.check', document.uri);
    await page.sheetSays('dirty.jsonl', 'Line 2');
  });

  it('checks a file that is too large for the editor, and links to its problems', async () => {
    const file = files.at('huge.jsonl');
    const piece = Array.from({ length: 100 }, (_, index) => whole(`ID${index}`, 'word '.repeat(9000))).join('\n');
    writeFileSync(file, '');
    for (let part = 0; part < 13; part++) {
      appendFileSync(file, `${piece.replaceAll('"ID', `"part-${part}-`)}\n`);
    }
    appendFileSync(file, '{"custom_id":"broken"\n');
    const uri = vscode.Uri.file(file);
    await assert.rejects(Promise.resolve(vscode.workspace.openTextDocument(uri)), /50MB/);
    await vscode.commands.executeCommand('managedAgents.file.check', uri);
    await page.sheetSays('huge.jsonl', 'Line 1,301');
  });

  describe('single requests', () => {
    before('connect', async () => {
      await vscode.commands.executeCommand('managedAgents.emulator.start');
      const document = await openFile('connected.jsonl', [whole('a')]);
      await eventuallyHolds(async () => assert.ok(!titles(await settledLenses(document.uri), 0).includes('No connection')));
    });

    it('run and stream their answer into a document beside', async () => {
      const document = await openFile('run.jsonl', [whole('a'), whole('b', '[emulate: text Paris it is.]')]);
      await vscode.commands.executeCommand('managedAgents.request.run', document.uri, 1, document.version);
      const text = await documentText('managed-agents-answer', /from line 2 of run\.jsonl, b\nFinished[\s\S]*\n\nParis it is\.\n$/);
      assert.match(
        text,
        /^Sent to .+ \(127\.0\.0\.1:\d+\) from line 2 of run\.jsonl, b\nFinished \(end_turn\) · model vendor-haiku-4-5 · /,
      );
      assert.match(text, /request ID /);
    });

    it('show a failure in their document, with a remedy @ci', async () => {
      const document = await openFile('fails.jsonl', [whole('a', '[emulate: error overloaded_error]')]);
      await settledLenses(document.uri);
      await vscode.commands.executeCommand('managedAgents.request.run', document.uri, 0);
      const text = await documentText('managed-agents-answer', /of fails\.jsonl, a\nFailed/);
      assert.match(text, /Run the request again later/);
    });

    it('runs no other line after lines were inserted above @ci', async () => {
      const document = await openFile('stale.jsonl', [whole('a'), whole('b')]);
      await settledLenses(document.uri);
      const { version } = document;
      await edit(document, change => change.insert(document.uri, new vscode.Position(0, 0), `${whole('new')}\n`));
      assert.deepEqual(await vscode.commands.executeCommand('managedAgents.request.run', document.uri, 1, version), { isDone: false });
    });

    it('stop when their document is closed @ci', async () => {
      const document = await openFile('stop.jsonl', [whole('long', '[emulate: long 300000]').replace('64', '64000')]);
      await settledLenses(document.uri);
      const run = vscode.commands.executeCommand('managedAgents.request.run', document.uri, 0);
      await documentText('managed-agents-answer', /of stop\.jsonl, long\nReceiving/);
      const tab = vscode.window.tabGroups.all
        .flatMap(group => group.tabs)
        .find(candidate => candidate.input instanceof vscode.TabInputText && candidate.input.uri.scheme === 'managed-agents-answer');
      assert.ok(tab !== undefined);
      await vscode.window.tabGroups.close(tab);
      await run;
    });
  });

  it('opens the sample as a new file and never overwrites one @ci', async () => {
    const open = async (label: string) => {
      const opening = vscode.commands.executeCommand('managedAgents.sample.open');
      await page.quickPick(label);
      await opening;
      return vscode.window.activeTextEditor?.document;
    };
    const first = await open('questions.jsonl');
    const second = await open('questions.jsonl');
    assert.match(first?.uri.path ?? '', /\/questions\.jsonl$/);
    assert.match(second?.uri.path ?? '', /\/questions-2\.jsonl$/);
    assert.equal(first?.getText(), second?.getText());

    // A file with one of the two names exists, so both files get the next number.
    const place = workspaceFolder();
    writeFileSync(path.join(place, 'reviews.batch-template.json'), '{}');
    const preview = await open('reviews.csv');
    assert.equal(preview?.uri.scheme, 'managed-agents-build');
    assert.match(preview?.getText() ?? '', /r-001/);
    assert.equal(readFileSync(path.join(place, 'reviews.batch-template.json'), 'utf8'), '{}');
    assert.ok(!existsSync(path.join(place, 'reviews.csv')));
    assert.ok(existsSync(path.join(place, 'reviews-2.csv')) && existsSync(path.join(place, 'reviews-2.batch-template.json')));
    for (const name of [
      'questions.jsonl',
      'questions-2.jsonl',
      'reviews.batch-template.json',
      'reviews-2.csv',
      'reviews-2.batch-template.json',
    ]) {
      rmSync(path.join(place, name));
    }
  });
});
