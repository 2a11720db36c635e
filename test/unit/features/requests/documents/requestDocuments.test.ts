import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { OpenRequestFile } from '../../../../../src/features/requests/documents/requestDocuments';
import { DocumentChecker } from '../../../../../src/jsonl/checking/documentChecker';

const lines = ['{"custom_id": "a b", "params": {"model": "vendor-opus-5", "max_tokens": 1, "messages": []}}'];
const document = { lineCount: lines.length, lineAt: (line: number) => ({ text: lines[line] ?? '' }) };

describe('features/requests/documents/requestDocuments', () => {
  it('keeps the previous state while every line is read again', async () => {
    const requests = new OpenRequestFile(
      document as vscode.TextDocument,
      async () => new DocumentChecker(document),
      callback => callback(),
      error => assert.fail(String(error)),
    );
    const errors = () => requests.totals?.problemCounts.error ?? 0;
    assert.equal(errors(), 0);
    await requests.whenSwept();
    const { totals } = requests;
    assert.ok(errors() > 0);
    requests.restart();
    assert.equal(requests.checker, undefined);
    assert.deepEqual(requests.totals, totals);
    await requests.whenSwept();
    assert.deepEqual(requests.totals, totals);
    requests.dispose();
  });

  it('reads very many changed lines in slices', async () => {
    const text = lines[0] ?? '';
    const long = { lineCount: 3000, lineAt: () => ({ text }) };
    const requests = new OpenRequestFile(
      long as unknown as vscode.TextDocument,
      async () => new DocumentChecker(long),
      callback => callback(),
      error => assert.fail(String(error)),
    );
    await requests.whenSwept();
    const { totals } = requests;
    const range = { start: { line: 0, character: 0 }, end: { line: 2998, character: 0 } };
    requests.change([{ range, text: `${text}\n`.repeat(2998) }]);
    assert.equal(requests.isBusy, true);
    assert.deepEqual(requests.totals, totals);
    await requests.whenSwept();
    assert.deepEqual(requests.totals, totals);
    assert.equal(requests.checker?.isSwept, true);
    requests.dispose();
  });
});
