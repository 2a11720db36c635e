import { open } from 'node:fs/promises';
import * as vscode from 'vscode';

interface ExpectationItem {
  readonly label: string;
  /** Text to insert, in VS Code's snippet syntax. */
  readonly snippet: string;
  readonly replaced: number;
}

/** Keys of an expectation with their usual values, as snippets. */
const keys: Readonly<Record<string, string>> = {
  custom_id: '"$1"',
  equals: '"$1"',
  contains: '"$1"',
  pattern: '"$1"',
  json_schema: '{"type": "object", "required": [$1]}',
  json: '"strict"',
  max_output_tokens: '$1',
};

/** Number of bytes of the request file to search for ids, and maximum number of ids. */
const [maxRead, maxIds] = [1 << 20, 1000];

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

/** Returns the ids at the start of the request file of an expectations file. Empty if the file can't be read. */
async function readIds(expectations: string): Promise<readonly string[]> {
  const stem = expectations.replace(/\.expect\.jsonl$/i, '');
  const file = await open(`${stem}.jsonl`, 'r')
    .catch(() => open(`${stem}.ndjson`, 'r'))
    .catch(() => undefined);
  try {
    const { buffer, bytesRead } = (await file?.read(Buffer.alloc(maxRead), 0, maxRead, 0)) ?? { buffer: Buffer.alloc(0), bytesRead: 0 };
    const found = buffer.toString('utf8', 0, bytesRead).matchAll(/"custom_id"\s*:\s*("(?:[^"\\]|\\.)*")/g);
    return [...new Set([...found].map(([, text = '""']) => JSON.parse(text) as string))].slice(0, maxIds);
  } catch {
    return [];
  } finally {
    await file?.close();
  }
}

/** Returns completions after `before`, the text of a line up to the cursor. `ids` are the ids in the request file. */
export function completeExpectation(before: string, ids: readonly string[]): readonly ExpectationItem[] {
  const written = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(before);
    return found === null ? undefined : (found[1] ?? '');
  };
  const id = written(/"custom_id"\s*:\s*("[^"]*)?$/);
  if (id !== undefined) {
    return ids.map(one => toItem(one, JSON.stringify(one).replace(/[$}\\]/g, '\\$&'), id));
  }
  const json = written(/"json"\s*:\s*("[^"]*)?$/);
  if (json !== undefined) {
    return [toItem('strict', '"strict"', json)];
  }
  const key = written(/^\s*\{(?:.*,)?\s*("?\w*)$/);
  if (key !== undefined) {
    return Object.entries(keys)
      .filter(([name]) => !before.includes(`"${name}"`))
      .map(([name, value]) => toItem(name, `"${name}": ${value}`, key));
  }
  const line = written(/^\s*(\w*)$/);
  return line === undefined
    ? []
    : Object.entries(keys)
        .filter(([name]) => name !== 'custom_id')
        .map(([name, value]) => toItem(name, `{"custom_id": "$1", "${name}": ${value.replace('$1', '$2')}}`, line));
}

function toItem(label: string, snippet: string, { length: replaced }: string): ExpectationItem {
  return { label, snippet, replaced };
}
