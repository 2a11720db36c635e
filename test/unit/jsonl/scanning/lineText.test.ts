import assert from 'node:assert/strict';
import { decodeLine } from '../../../../src/jsonl/scanning/lineText';

const bytes = (text: string) => Buffer.from(text, 'utf8');

describe('jsonl/scanning/lineText', () => {
  it('returns the column at which bytes stop being UTF-8', () => {
    const broken = (before: string, bad: number[], after: string) =>
      decodeLine(Buffer.concat([bytes(before), Buffer.from(bad), bytes(after)])).invalidAt;
    assert.equal(decodeLine(bytes('{"é😀"}')).invalidAt, undefined);
    assert.equal(broken('', [0xff], ''), 0);
    assert.equal(broken('aé😀', [0x80], 'b'), 4);
    assert.equal(broken('aé😀', [0xf0, 0x9f], '😀b'), 4);
    assert.equal(broken('😀😀', [0xed, 0xa0, 0x80], 'xyz'), 4);
    assert.equal(broken('ab', [0xe2, 0x82], ''), 2);
  });
});
