import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TextScan, trigger } from '../../../../src/jsonl/survey/textScan';
import { tokenKinds } from '../../../../src/jsonl/survey/tokenTable';
import { anyCharacter } from '../../../helpers/anyCharacter';

function scan(json: string) {
  const scan = new TextScan();
  scan.bytes = Buffer.from(`${json}\n`);
  const end = scan.scan(0);
  return { end, hash: [scan.hashA, scan.hashB], triggers: scan.triggers, tokens: [...scan.tokens] };
}

const toAscii = (json: string) => json.replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
/** Escapes every character. */
const toEscapes = (text: string) =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0').toUpperCase()}`).join('')}"`;
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ maxLength: 60 }),
);

describe('jsonl/survey/textScan', () => {
  it('ends after the closing quote of any text', () => {
    fc.assert(
      fc.property(text, value => {
        const json = JSON.stringify(value);
        assert.equal(scan(`${json}, "more"`).end, Buffer.byteLength(json));
      }),
    );
  });

  it('returns the same for a text in any escaping', () => {
    fc.assert(
      fc.property(text, value => {
        const plain = scan(JSON.stringify(value));
        for (const json of [toAscii(JSON.stringify(value)), toEscapes(value), JSON.stringify(value).replaceAll('/', '\\/')]) {
          const other = scan(json);
          assert.deepEqual(other.hash, plain.hash, json);
          for (let kind = 0; kind < tokenKinds; kind++) {
            assert.ok(Math.abs((other.tokens[kind] ?? 0) - (plain.tokens[kind] ?? 0)) < 1e-9, `${json}: kind ${kind}`);
          }
        }
      }),
    );
  });

  it('distinguishes different texts', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        fc.pre(one !== other);
        assert.notDeepEqual(scan(JSON.stringify(one)).hash, scan(JSON.stringify(other)).hash);
      }),
    );
  });

  it("rejects what isn't a JSON string", () => {
    for (const json of ['"', '"a', '"\\x"', '"\\u12"', '"\\u12g4"', '"\u0001"', '"\t"', '"\\']) {
      assert.equal(scan(json).end, -1, json);
    }
  });

  it('detects texts that are worth searching', () => {
    const rows: readonly (readonly [string, number])[] = [
      ['plain words, 12 of them (more or less)', 0],
      ['a@b', trigger.at],
      ['\\u0040', trigger.at],
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
    for (const [json, triggers] of rows) {
      assert.equal(scan(`"${json}"`).triggers, triggers, json);
    }
  });
});
