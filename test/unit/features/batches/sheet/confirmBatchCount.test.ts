import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { confirmBatchCount } from '../../../../../src/features/batches/sheet/confirmBatchCount';
import { outgoingOf, report, selectedFrom, facts as someFacts } from './sheetUnderTest';

describe('features/batches/sheet/confirmBatchCount', () => {
  it('asks a second time of hundreds of batches, and sends none when the user turns back', async () => {
    const { showWarningMessage } = vscode.window;
    const asked: unknown[] = [];
    let answer: string | undefined;
    const ask = (async (message: string) => {
      asked.push(message);
      return answer;
    }) as typeof showWarningMessage;
    Object.assign(vscode.window, { showWarningMessage: ask });
    const facts = (count: number) => {
      const parts = Array.from({ length: count }, (_, index) => selectedFrom(index, 1, 10));
      return { ...someFacts, outgoing: { ...outgoingOf(report), parts } };
    };
    try {
      assert.equal(await confirmBatchCount(someFacts), true);
      assert.equal(await confirmBatchCount(facts(99)), true);
      assert.deepEqual(asked, []);
      assert.equal(await confirmBatchCount(facts(240)), false);
      answer = 'Create 240 Batches';
      assert.equal(await confirmBatchCount(facts(240)), true);
      assert.deepEqual(asked, ['Create 240 batches from one file?', 'Create 240 batches from one file?']);
    } finally {
      Object.assign(vscode.window, { showWarningMessage });
    }
  });
});
