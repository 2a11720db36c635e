import { open } from 'node:fs/promises';
import * as vscode from 'vscode';
import { completeExpectation } from './completeExpectation';

/** Number of bytes of the request file to search for ids, and maximum number of ids. */
const [mostRead, mostIds] = [1 << 20, 1000];

/** Completes keys, whole lines, and ids of the request file in an expectations file. */
export const expectationCompletions: vscode.CompletionItemProvider = {
  async provideCompletionItems(document, position) {
    const before = document.lineAt(position.line).text.slice(0, position.character);
    const after = document.lineAt(position.line).text.slice(position.character);
    const ids = before.includes('"custom_id"') ? await readIds(document.uri.fsPath) : [];
    return completeExpectation(before, ids).map(({ label, snippet, replaced }, at) => {
      const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Property);
      const start = position.translate(0, -replaced);
      // The editor inserts the closing quotation mark automatically, so it is replaced too.
      const end = before.endsWith('"') && after.startsWith('"') ? position.translate(0, 1) : position;
      item.range = new vscode.Range(start, end);
      item.insertText = new vscode.SnippetString(snippet);
      item.filterText = `${before.slice(before.length - replaced)}${label}`;
      item.sortText = String(at).padStart(4, '0');
      return item;
    });
  },
};

/** Returns the ids at the start of the request file of an expectations file. Empty if it can't be read. */
async function readIds(expectations: string): Promise<readonly string[]> {
  const stem = expectations.replace(/\.expect\.jsonl$/i, '');
  const file = await open(`${stem}.jsonl`, 'r')
    .catch(() => open(`${stem}.ndjson`, 'r'))
    .catch(() => undefined);
  try {
    const { buffer, bytesRead } = (await file?.read(Buffer.alloc(mostRead), 0, mostRead, 0)) ?? { buffer: Buffer.alloc(0), bytesRead: 0 };
    const found = buffer.toString('utf8', 0, bytesRead).matchAll(/"custom_id"\s*:\s*("(?:[^"\\]|\\.)*")/g);
    return [...new Set([...found].map(([, text = '""']) => JSON.parse(text) as string))].slice(0, mostIds);
  } catch {
    return [];
  } finally {
    await file?.close();
  }
}
