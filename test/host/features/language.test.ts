import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, eventuallyHolds } from '../eventually';
import { useExtension } from '../useExtension';

const whole = (id: string, words = 'Hello', more: object = {}) =>
  JSON.stringify({
    custom_id: id,
    params: { model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content: words }], ...more },
  });

async function completions({ document, at }: { document: vscode.TextDocument; at: vscode.Position }): Promise<vscode.CompletionItem[]> {
  return eventually(async () => {
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      at,
      undefined,
      100,
    );
    const ours = list.items.filter(item => item.sortText !== undefined && /^\d{5} /.test(item.sortText));
    return ours.length > 0 ? ours : undefined;
  });
}

const labelOf = ({ label }: vscode.CompletionItem) => (typeof label === 'string' ? label : label.label);

async function hoverText(document: vscode.TextDocument, at: vscode.Position): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at);
  return hovers
    .flatMap(({ contents }) => contents)
    .map(content => (typeof content === 'string' ? content : content.value))
    .join('\n');
}

async function symbols(document: vscode.TextDocument): Promise<vscode.DocumentSymbol[]> {
  return (
    (await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>('vscode.executeDocumentSymbolProvider', document.uri)) ?? []
  );
}

async function rename(document: vscode.TextDocument, at: vscode.Position, name: string): Promise<vscode.WorkspaceEdit> {
  return vscode.commands.executeCommand<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', document.uri, at, name);
}

describe('features/requests/language', () => {
  const files = useExtension('language');

  /** Opens a file of lines in which `|` marks the cursor. Returns the position of the mark. */
  async function openMarked(
    name: string,
    lines: readonly string[],
  ): Promise<{ document: vscode.TextDocument; editor: vscode.TextEditor; at: vscode.Position }> {
    const line = lines.findIndex(text => text.includes('|'));
    const column = lines[line]?.indexOf('|') ?? 0;
    const document = await files.open(name, `${lines.map(text => text.replace('|', '')).join('\n')}\n`);
    const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    const at = new vscode.Position(Math.max(line, 0), Math.max(column, 0));
    editor.selection = new vscode.Selection(at, at);
    return { document, editor, at };
  }

  it('completes fields with descriptions, in the usual order', async () => {
    const place = await openMarked('fields.jsonl', [whole('a'), '{"custom_id":"b","params":{"model":"m",|}}']);
    const items = await completions(place);
    const sorted = items.sort((a, b) => String(a.sortText).localeCompare(String(b.sortText))).map(labelOf);
    assert.deepEqual(sorted.slice(0, 4), ['max_tokens', 'system', 'messages', 'tools']);
    assert.ok(!sorted.includes('model'));
    const maxTokens = items.find(item => labelOf(item) === 'max_tokens');
    assert.match((maxTokens?.documentation as vscode.MarkdownString | undefined)?.value ?? '', /number of tokens to generate/);
    assert.ok(items.find(item => labelOf(item) === 'top_k')?.tags?.includes(vscode.CompletionItemTag.Deprecated));
  });

  it('inserts completions with the necessary commas and quotation marks @ci', async () => {
    const place = await openMarked('written.jsonl', [whole('a'), '{"custom_id":"b","params":{"max|""model":"m"}}']);
    const item = (await completions(place)).find(candidate => labelOf(candidate) === 'max_tokens') ?? assert.fail('not offered');
    const range = item.range instanceof vscode.Range ? item.range : item.range?.replacing;
    await place.editor.insertSnippet(item.insertText as vscode.SnippetString, range);
    assert.equal(place.document.lineAt(1).text, '{"custom_id":"b","params":{"max_tokens":1024,"model":"m"}}');
  });

  it('proposes the next ID and a whole request on an empty line', async () => {
    const place = await openMarked('next.jsonl', [whole('q-0007'), '|', whole('z')]);
    const item = (await completions(place)).find(candidate => labelOf(candidate) === 'request') ?? assert.fail('not offered');
    assert.match((item.insertText as vscode.SnippetString).value, /q-0008/);
  });

  it('offers nothing on other JSONL @ci', async () => {
    const requests = await openMarked('real.jsonl', [whole('a'), '{"custom_id":"b",|}']);
    await completions(requests);
    const { document, at } = await openMarked('log.jsonl', ['{"level":"info",|"message":"started","timestamp":1}']);
    const list = await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, at);
    assert.deepEqual(
      list.items.filter(({ kind }) => kind !== vscode.CompletionItemKind.Text),
      [],
    );
    assert.equal(await hoverText(document, new vscode.Position(0, 3)), '');
    assert.deepEqual(await symbols(document), []);
  });

  it('offers a whole request in an empty file, and fields in one with only a started object @ci', async () => {
    assert.deepEqual((await completions(await openMarked('blank.jsonl', ['|']))).map(labelOf).includes('request'), true);
    assert.deepEqual((await completions(await openMarked('begun.jsonl', ['{|']))).map(labelOf).sort(), ['custom_id', 'params']);
    let count = 0;
    const items = async (mark: string, trigger?: string) => {
      const { document, at } = await openMarked(`begun-${++count}.jsonl`, [mark]);
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        at,
        trigger,
      );
      return list.items.filter(({ sortText }) => sortText !== undefined && /^\d{5} /.test(sortText)).map(labelOf);
    };
    assert.deepEqual(await items('{"|'), ['custom_id', 'params']);
    assert.deepEqual(await items('{"|', '"'), []);
    assert.deepEqual(await items('{"custom_id":"a",|', ','), ['params']);
    assert.deepEqual(await items('{"level":"info",|'), []);
    assert.deepEqual(await items('{"custom_id":"a","method":"POST",|'), []);
  });

  it('explains fields and values in a hover', async () => {
    const { document } = await openMarked('hover.jsonl', [whole('a', 'Hello', { thinking: { type: 'adaptive' }, temperature: 1 })]);
    const { text } = document.lineAt(0);
    const at = (part: string) => new vscode.Position(0, text.indexOf(part) + 2);
    const maxTokens = await eventually(async () => (await hoverText(document, at('max_tokens'))) || undefined);
    assert.match(maxTokens, /\*\*max\\_tokens\*\* · integer · required/);
    assert.match(maxTokens, /Value: at least 0/);
    assert.match(await hoverText(document, at('adaptive')), /Thinks as much as needed/);
    await eventually(async () => {
      const problems = vscode.languages.getDiagnostics(document.uri);
      return problems.some(({ message }) => message.startsWith('"temperature" is deprecated')) ? problems : undefined;
    });
    assert.doesNotMatch(await hoverText(document, at('temperature')), /deprecated/);
    assert.match(await hoverText(document, at('Hello')), /^\*\*content\*\* · string or array · required\n\nA string, or content blocks\./);
  });

  it('outlines requests with their parts', async () => {
    const { document } = await openMarked('outline.jsonl', [whole('a', 'Why?', { system: 'Be kind.' }), '', whole('b', 'How?')]);
    const found = await eventually(async () => {
      const all = await symbols(document);
      return all.length > 0 ? all : undefined;
    });
    assert.deepEqual(
      found.map(({ name, detail, range }) => [name, detail, range.start.line]),
      [
        ['a', 'vendor-haiku-4-5 · Why?', 0],
        ['b', 'vendor-haiku-4-5 · How?', 2],
      ],
    );
    assert.deepEqual(
      found[0]?.children.map(({ name, detail }) => [name, detail]),
      [
        ['user', 'Why?'],
        ['system', 'Be kind.'],
      ],
    );
  });

  it('outlines the visible requests of a long file, and others after scrolling @ci', async () => {
    const { document, editor } = await openMarked(
      'long.jsonl',
      Array.from({ length: 5000 }, (_, index) => whole(`q-${index}`)),
    );
    const listed = await eventually(async () => {
      const all = await symbols(document);
      return all[0]?.name === 'q-0' && all;
    });
    assert.equal(listed[499]?.name, 'q-499');
    assert.deepEqual([listed[500]?.name, listed[500]?.detail, listed.length], ['Lines 501 to 1000', 'q-500 – q-999', 509]);
    editor.revealRange(new vscode.Range(4200, 0, 4200, 0), vscode.TextEditorRevealType.AtTop);
    const scrolled = await eventually(async () => {
      const all = await symbols(document);
      return all[0]?.name === 'Lines 1 to 500' ? all : undefined;
    });
    assert.ok(scrolled.some(({ name, range }) => name === 'q-4200' && range.start.line === 4200));
    assert.ok(scrolled.every(({ range }) => range.isSingleLine));
  });

  it('outlines only the lines around the screen in a file of long lines @ci', async () => {
    const { document } = await openMarked(
      'wide.jsonl',
      Array.from({ length: 300 }, (_, index) => whole(`q-${index}`, 'word '.repeat(4000))),
    );
    const listed = await eventually(async () => {
      const all = await symbols(document);
      return all[0]?.name === 'q-0' && all.some(({ detail }) => detail === 'q-280 – q-299') ? all : undefined;
    });
    assert.ok(listed.length < 100, String(listed.length));
    assert.equal(listed.at(-1)?.name, 'Lines 281 to 300');
  });

  it('expands a selection by the structure of the line @ci', async () => {
    const { document, at } = await openMarked('selection.jsonl', [whole('a', 'Why| is it?')]);
    const [first] = await eventually(async () => {
      const ranges = await vscode.commands.executeCommand<vscode.SelectionRange[]>('vscode.executeSelectionRangeProvider', document.uri, [
        at,
      ]);
      return ranges?.[0]?.parent === undefined ? undefined : ranges;
    });
    const texts: string[] = [];
    for (let range: vscode.SelectionRange | undefined = first; range !== undefined; range = range.parent) {
      texts.push(document.getText(range.range));
    }
    assert.ok(
      texts.includes('Why is it?') &&
        texts.includes('"content":"Why is it?"') &&
        texts.includes('[{"role":"user","content":"Why is it?"}]'),
      texts.join('\n'),
    );
  });

  it('renames an ID, and rejects invalid and existing ones', async () => {
    const { document, at } = await openMarked('rename.jsonl', [whole('|a'), whole('b')]);
    const edit = await eventually(async () => rename(document, at, 'new-name'));
    assert.equal(await vscode.workspace.applyEdit(edit), true);
    assert.equal(document.lineAt(0).text, whole('new-name'));
    await assert.rejects(rename(document, at, 'not an id'), /1 to 64 letters/);
    await assert.rejects(rename(document, at, 'b'), /Line 2 already has the ID b/);
    await assert.rejects(rename(document, new vscode.Position(0, document.lineAt(0).text.indexOf('model') + 1), 'x'), /Only a custom_id/);
    await assert.rejects(
      Promise.resolve(vscode.commands.executeCommand('vscode.prepareRename', document.uri, new vscode.Position(0, 1))),
      /Only a custom_id/,
    );
  });

  it('goes to a request by the ID in a fragment @ci', async () => {
    const { document, editor } = await openMarked(
      'goto.jsonl',
      Array.from({ length: 500 }, (_, index) => whole(`q-${index}`)),
    );
    await vscode.commands.executeCommand('managedAgents.request.goTo', document.uri.with({ fragment: 'q-321' }));
    await eventuallyHolds(() => assert.equal(editor.selection.active.line, 321));
  });

  it('knows the fields of a template, including placeholders @ci', async () => {
    const { document, at } = await openMarked('a.batch-template.json', [
      '{"params": {"model": "m", "max_tokens": "{{tokens}}", "messages": "{{messages}}", "temperature": 5, |}}',
    ]);
    const diagnostics = await eventually(async () => {
      const all = vscode.languages.getDiagnostics(document.uri);
      return all.some(({ message }) => /maximum|1/.test(message)) ? all : undefined;
    });
    assert.ok(
      diagnostics.every(({ message }) => !/tokens|messages/.test(message)),
      diagnostics.map(({ message }) => message).join('\n'),
    );
    const list = await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, at);
    assert.ok(list.items.some(item => labelOf(item) === 'system'));
  });
});
