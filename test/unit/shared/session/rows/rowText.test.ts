import assert from 'node:assert/strict';
import type { Row } from '../../../../../src/shared/session/rows/rows';
import { rowMatches, toCopyText } from '../../../../../src/shared/session/rows/rowText';

const row = {
  ...{ kind: 'tool', key: 'sevt_1', seq: 0, at: undefined, type: 'agent.tool_use', summary: 'bash', name: 'bash' },
  input: { type: 'json', text: '{ "command": "ls', cut: 9000 },
  result: {
    parts: [
      { type: 'text', text: 'a\nb' },
      { type: 'image', name: 'x.png' },
    ],
    isError: false,
    seq: 1,
    at: undefined,
  },
} as unknown as Row;

describe('shared/session/rows/rowText', () => {
  it('copies the parts of a row one below the other', () => {
    assert.equal(toCopyText(row), 'bash\n\n{ "command": "ls\n\na\nb');
    assert.equal(toCopyText({ ...row, kind: 'status', summary: 'idle' } as Row), 'idle');
  });

  it('uses the complete text of a part if it is available', () => {
    const asked: string[] = [];
    const whole = toCopyText(row, path => {
      asked.push(path);
      return path === 'input' ? '{ "command": "ls -la" }' : undefined;
    });
    assert.equal(whole, 'bash\n\n{ "command": "ls -la" }\n\na\nb');
    // Rows without text have nothing to copy.
    assert.deepEqual(asked, ['input', 'result.0']);
  });

  it('finds words in the content of a row', () => {
    assert.equal(rowMatches(row, /COMMAND/i), true);
    assert.equal(rowMatches(row, /elsewhere/), false);
  });
});
