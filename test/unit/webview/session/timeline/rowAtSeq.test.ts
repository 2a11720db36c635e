import assert from 'node:assert/strict';
import type { ToolRow } from '../../../../../src/shared/session/rows';
import { rowAtSeq } from '../../../../../src/webview/session/timeline/rowAtSeq';
import { message, tool } from '../rows';

describe('webview/session/timeline/rowAtSeq', () => {
  it('hides what was not there yet', () => {
    assert.equal(rowAtSeq(message(5), 4), undefined);
    const row = message(5);
    assert.equal(rowAtSeq(row, 5), row);
  });

  it('takes the result from a call until it came', () => {
    const call = tool(2);
    assert.deepEqual([stateAt(call, 2), stateAt(call, 3)], ['running', 'done']);
    assert.equal('result' in (rowAtSeq(call, 2) ?? {}), false);
  });

  it('lets a call wait until it was answered, then run', () => {
    const call = tool(2, {
      permission: 'ask',
      confirmation: { result: 'allow', seq: 4, at: undefined },
      result: { parts: [], isError: false, seq: 6, at: undefined },
    });
    assert.deepEqual([stateAt(call, 3), stateAt(call, 4), stateAt(call, 6)], ['waiting', 'running', 'done']);
  });

  it('lets a custom tool wait for its result', () => {
    assert.equal(stateAt(tool(2, { tool: 'custom' }), 2), 'waiting');
  });
});

function stateAt(row: ToolRow, seq: number): string | undefined {
  const shown = rowAtSeq(row, seq);
  return shown?.kind === 'tool' ? shown.state : undefined;
}
