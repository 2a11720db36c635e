import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TextScan, trigger } from '../../../../src/jsonl/survey/textScan';
import { anyCharacter } from '../../../helpers/anyCharacter';

function scan(text: string) {
  const scan = new TextScan();
  scan.scan(text);
  return { hash: [scan.hashA, scan.hashB], triggers: scan.triggers };
}

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ maxLength: 60 }),
);

describe('jsonl/survey/textScan', () => {
  it('distinguishes different texts', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        fc.pre(one !== other);
        assert.notDeepEqual(scan(one).hash, scan(other).hash);
      }),
    );
  });

  it('detects texts that are worth searching', () => {
    const rows: readonly (readonly [string, number])[] = [
      ['plain words, 12 of them (more or less)', 0],
      ['a@b', trigger.at],
      ['555-123-4567', trigger.digits],
      ['5 5 5 1 2 3 4 5 6', trigger.digits],
      ['1234 and 5678 and 9', 0],
      ['key abcdefghijklmnopqrs1 end', trigger.token],
      ['abcdefghijklmnopqrs1', trigger.token],
      ['abcdefghijklmnopqrstuvwxyz', 0],
      ['word1 '.repeat(20), 0],
      ['-----BEGIN', trigger.dashes],
      ['文字'.repeat(30), 0],
    ];
    for (const [value, triggers] of rows) {
      assert.equal(scan(value).triggers, triggers, value);
    }
  });
});
