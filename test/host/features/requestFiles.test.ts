import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../eventually';
import { connectPage } from '../page';
import { useExtension } from '../useExtension';

const params = (words: string) => `{"model":"vendor-haiku-4-5", "max_tokens":64,"messages":[{"role":"user","content":"${words}"}]}`;
const whole = (id: string, words = 'Hello') => `{"custom_id":"${id}","params":${params(words)}}`;

describe('features/requestFiles', () => {
  let folder: string;
  const at = (name: string) => path.join(folder, name);
  const read = (name: string) => readFileSync(at(name), 'utf8');
  const write = (name: string, text: string) => {
    writeFileSync(at(name), text);
    return vscode.Uri.file(at(name));
  };

  const page = connectPage();

  after(() => page.close());

  useExtension('requestFiles');

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'request-files-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns the visible report, with the targets of its links, once it matches. */
  async function report(pattern: RegExp): Promise<{ readonly text: string; readonly targets: readonly string[] }> {
    const document = await eventually(() => {
      const shown = vscode.window.visibleTextEditors.find(editor => editor.document.uri.scheme === 'managed-agents-report')?.document;
      assert.match(shown?.getText() ?? '', pattern);
      return shown;
    });
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', document.uri);
    return {
      text: document.getText(),
      targets: links.map(({ range, target }) => `${document.getText(range)} ${path.basename(target?.path ?? '')}#${target?.fragment}`),
    };
  }

  it('converts bare params without a question and shows a report', async () => {
    const file = write('bare.jsonl', `${params('one')}\nbroken\n\n${params('two')}\n`);
    await vscode.commands.executeCommand('managedAgents.file.convert', file);
    assert.equal(
      read('bare.requests.jsonl'),
      `{"custom_id":"line-1","params":${params('one')}}\n{"custom_id":"line-4","params":${params('two')}}\n`,
    );
    assert.equal(read('bare.not-converted.jsonl'), 'broken\n');
    const { targets } = await report(/2 of 3 items were converted\./);
    assert.deepEqual(targets, ['2 bare.jsonl#L2,1']);
  });

  it('offers to convert another service’s batch file at its top, once, and nowhere else', async () => {
    const foreign = '{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"x","messages":[]}}\n';
    const lensesOf = async (name: string, text: string) => {
      const document = await vscode.workspace.openTextDocument(write(name, text));
      await vscode.window.showTextDocument(document);
      const command = 'vscode.executeCodeLensProvider';
      return async () =>
        (await vscode.commands.executeCommand<vscode.CodeLens[]>(command, document.uri, 9)).flatMap(lens => lens.command ?? []);
    };
    const ofForeign = await lensesOf('foreign.jsonl', foreign.repeat(3));
    await eventually(async () => {
      const lenses = await ofForeign();
      assert.deepEqual(
        lenses.map(({ command }) => command),
        ['managedAgents.file.convert'],
      );
      return true;
    });
    for (const [name, text] of [
      ['own.jsonl', whole('a')],
      ['log.jsonl', '{"level":"info"}\n'],
    ] as const) {
      const lenses = await (await lensesOf(name, text))();
      assert.ok(
        lenses.every(({ command }) => command !== 'managedAgents.file.convert'),
        name,
      );
    }
  });

  it("nests derived files under a request file, and keeps VS Code's patterns", () => {
    const patterns = vscode.workspace.getConfiguration('explorer.fileNesting').get<Readonly<Record<string, string>>>('patterns') ?? {};
    assert.match(patterns['*.jsonl'] ?? '', /results\*\.jsonl, .*retry\*\.jsonl, .*expect\.jsonl/);
    assert.ok(Object.keys(patterns).includes('*.ts'), Object.keys(patterns).join());
  });

  it('splits a {"requests": [...]} file into lines', async () => {
    const file = write('body.json', JSON.stringify({ requests: [JSON.parse(whole('a')), JSON.parse(whole('b'))] }, null, 2));
    await vscode.commands.executeCommand('managedAgents.file.convert', file);
    assert.deepEqual(
      read('body.requests.jsonl')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as unknown),
      [JSON.parse(whole('a')), JSON.parse(whole('b'))],
    );
    assert.equal(existsSync(at('body.not-converted.jsonl')), false);
  });

  it("converts the editor's unsaved text", async () => {
    const file = write('edited.jsonl', `${params('saved')}\n`);
    const editor = await vscode.window.showTextDocument(file);
    await editor.edit(change => change.insert(new vscode.Position(0, 0), `${params('new')}\n`));
    await vscode.commands.executeCommand('managedAgents.file.convert', file);
    assert.equal(read('edited.requests.jsonl').split('\n').length, 3);
    assert.match(read('edited.requests.jsonl'), /"new"/);
    assert.equal(read('edited.jsonl'), `${params('saved')}\n`);
  });

  it('writes nothing if there is nothing to convert', async () => {
    await vscode.commands.executeCommand('managedAgents.file.convert', write('ready.jsonl', `${whole('a')}\n`));
    await vscode.commands.executeCommand('managedAgents.file.convert', write('log.jsonl', '{"level":"info"}\n'));
    assert.equal(existsSync(at('ready.requests.jsonl')), false);
    assert.equal(existsSync(at('log.requests.jsonl')), false);
  });

  it('merges the selected files, by name', async () => {
    const files = [
      write('set.part-10.jsonl', whole('c')),
      write('set.part-2.jsonl', `\ufeff${whole('b')}`),
      write('set.part-1.jsonl', `${whole('a')}\n`),
    ];
    await vscode.commands.executeCommand('managedAgents.file.arrange', files[0], files);
    assert.equal(read('set.merged.jsonl'), `${whole('a')}\n${whole('b')}\n${whole('c')}\n`);
  });

  it('finds duplicates and links to them', async () => {
    const file = write('twice.jsonl', `${whole('a')}\n${whole('b', 'other')}\n${whole('c')}\n${whole('b', 'more')}\n`);
    const arranging = vscode.commands.executeCommand('managedAgents.file.arrange', file);
    await page.quickPick('Show Duplicates');
    await arranging;
    const { text, targets } = await report(/Lines with the same params\n {2}1 \(a\), 3 \(c\)/);
    assert.match(text, /Lines with the same ID and different params\n {2}2 \(b\), 4 \(b\)/);
    assert.deepEqual(targets, ['1 twice.jsonl#L1,1', '3 twice.jsonl#L3,1', '2 twice.jsonl#L2,1', '4 twice.jsonl#L4,1']);
    assert.equal(read('twice.jsonl').split('\n').length, 5);
  });
});
