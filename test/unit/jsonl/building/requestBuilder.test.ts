import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RequestBuilder, RowMismatch } from '../../../../src/jsonl/building/requestBuilder';
import { parseTemplate } from '../../../../src/jsonl/building/requestTemplate';
import { membersOf } from '../../../../src/jsonl/scanning/jsonMembers';
import { anyCharacter } from '../../../helpers/anyCharacter';
import { runs } from '../../../helpers/runs';

/** Returns the request that a template (JSON text) makes from a row (JSON text). */
function build(template: string, row: string, columns = Object.keys(JSON.parse(row))): string {
  const parsed = parseTemplate(template);
  assert.deepEqual(parsed.problems, []);
  return new RequestBuilder(parsed, columns).build({ number: 7, line: 0, values: membersOf(row) });
}

/** Returns the params that a template with one string produces. */
function value(text: string, row: string): string {
  const line = build(`{"custom_id":"x","params":{"v":${JSON.stringify(text)}}}`, row);
  return line.slice('{"custom_id":"x","params":'.length, -1);
}

const row = `{"n":1.50,"big":12345678901234567890,"o":{"b": [1, 2]},"t":true,"z":null,"e":"","s":"a \\"b\\" \\u00e9\\u2028","p":" x ","j":" {\\"a\\": 1.0}\\n","is it?":1,"a|text":2,"deep.x":3,"list":[{"k":"v"}]}`;

describe('jsonl/building/requestBuilder', () => {
  it('inserts values with their type, as text inside text, and through filters', () => {
    const table: readonly (readonly [string, string])[] = [
      ['{{n}}', '{"v":1.50}'],
      ['{{ n }}', '{"v":1.50}'],
      ['{{big}}', '{"v":12345678901234567890}'],
      ['{{o}}', '{"v":{"b": [1, 2]}}'],
      ['{{t}}', '{"v":true}'],
      ['{{z}}', '{"v":null}'],
      ['{{e}}', '{"v":""}'],
      ['{{s}}', '{"v":"a \\"b\\" \\u00e9\\u2028"}'],
      ['{{row}}', '{"v":7}'],
      ['n is {{n}}, t is {{t}}.', '{"v":"n is 1.50, t is true."}'],
      ['<{{z}}|{{e}}>', '{"v":"<|>"}'],
      ['<{{o}}>', '{"v":"<{\\"b\\":[1,2]}>"}'],
      ['<{{s}}>', '{"v":"<a \\"b\\" \\u00e9\\u2028>"}'],
      ['{{s}}{{n}}', '{"v":"a \\"b\\" \\u00e9\\u20281.50"}'],
      ['{{z?}}', '{}'],
      ['{{e?}}', '{}'],
      ['{{n?}}', '{"v":1.50}'],
      ['{{missing?}}', '{}'],
      ['<{{missing?}}{{z?}}>', '{"v":"<>"}'],
      ['{{n|text}}', '{"v":"1.50"}'],
      ['{{z|text}}', '{"v":""}'],
      ['{{o|text}}', '{"v":"{\\"b\\":[1,2]}"}'],
      ['{{j|json}}', '{"v":{"a": 1.0}}'],
      ['{{n|json}}', '{"v":1.50}'],
      ['{{e|json?}}', '{}'],
      ['{{p|trim}}', '{"v":"x"}'],
      ['{{s|id}}', '{"v":"a-b-"}'],
      ['row-{{p | trim | id}}', '{"v":"row-x"}'],
      ['{{is it?}}', '{"v":1}'],
      ['{{is it??}}', '{"v":1}'],
      ['{{a|text}}', '{"v":2}'],
      ['{{a|text|text}}', '{"v":"2"}'],
      ['{{deep.x}}', '{"v":3}'],
      ['{{o.b}}', '{"v":[1, 2]}'],
      ['{{o.b.1}}', '{"v":2}'],
      ['{{o.c?}}', '{}'],
      ['{{list.0.k}}', '{"v":"v"}'],
      ['{{{{n}}', '{"v":"{{n}}"}'],
      ['{{{{{{n}}', '{"v":"{{1.50"}'],
      ['{{{n}}}', '{"v":"{1.50}"}'],
      ['{"a":{"b":1}}', '{"v":"{\\"a\\":{\\"b\\":1}}"}'],
    ];
    for (const [text, expected] of table) {
      assert.equal(value(text, row), expected, text);
    }
  });

  it('prefers a column named row to the row number', () => {
    assert.equal(value('{{row}}', '{"row":"mine"}'), '{"v":"mine"}');
  });

  it("creates one compact line with the template's keys and texts, without its white space", () => {
    const template = `{
      "$schema": "x",
      "params": { "max_tokens": 1.0, "b": [ 1, "{{n}}", "{{z?}}", { "z": "{{z?}}" } ], "a": "\\u00e9 \\/ {{n}}" },
      "custom_id": "q-{{n}}"
    }`;
    assert.equal(build(template, '{"n":2,"z":null}'), '{"params":{"max_tokens":1.0,"b":[1,2,{}],"a":"\\u00e9 \\/ 2"},"custom_id":"q-2"}');
  });

  it('creates IDs that are always strings, from row numbers if there is none', () => {
    assert.equal(build('{"custom_id":"{{n}}","params":{}}', '{"n":42}'), '{"custom_id":"42","params":{}}');
    assert.equal(build('{"custom_id":"{{n?}}","params":{}}', '{"n":null}'), '{"custom_id":"row-7","params":{}}');
    assert.equal(build('{"params":{}}', '{}'), '{"custom_id":"row-7","params":{}}');
    assert.equal(build('{"model":"m","max_tokens":"{{n}}"}', '{"n":1}'), '{"custom_id":"row-7","params":{"model":"m","max_tokens":1}}');
  });

  it('inserts CSV cells as strings', () => {
    const parsed = parseTemplate('{"params":{"a":"{{x}}","b":"{{x|json}}","c":"{{y|json}}","d":"<{{z}}>"}}');
    const values = new Map(Object.entries({ x: '42', y: '{"a":\n[1]}', z: '"\n' }).map(([name, cell]) => [name, JSON.stringify(cell)]));
    const line = new RequestBuilder(parsed, ['x', 'y', 'z']).build({ number: 1, line: 1, values });
    assert.equal(line, '{"custom_id":"row-1","params":{"a":"42","b":42,"c":{"a":[1]},"d":"<\\"\\n>"}}');
  });

  it('rejects rows without a required value', () => {
    for (const [template, what] of [
      ['{"params":{"a":"{{x}}"}}', 'x'],
      ['{"params":{"a":"<{{o.x}}>"}}', 'o.x'],
      ['{"params":{"a":"{{p|json}}"}}', 'p'],
    ] as const) {
      assert.throws(
        () => build(template, '{"o":{},"p":"{a"}', ['x', 'o', 'p']),
        (error: unknown) => error instanceof RowMismatch && error.text.args[0] === what,
      );
    }
  });

  it('creates one line of valid JSON from any row, and changes no value', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.string({ maxLength: 4, unit: anyCharacter }),
      fc.constantFrom('\u2028', '"', '\\', '\n', '{{', '}}'),
    );
    const values = fc.record({
      a: fc.oneof(text, fc.jsonValue({ maxDepth: 2 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
      b: text,
    });
    const literal = fc.array(
      fc.oneof(
        text.map(part => part.replaceAll('{{', '')),
        fc.constantFrom('{{a}}', '{{b}}', '{{{{'),
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(values, literal, fc.constantFrom(undefined, 1), (cells, all, indent) => {
        const parts = all.filter(part => part !== '');
        const json = JSON.stringify(cells, undefined, indent);
        const before = JSON.parse(json);
        // Skips texts in which adjacent parts form new braces.
        fc.pre(!/\{$/.test(parts.filter(part => !part.startsWith('{{')).join('{')) && !parts.join('').includes('{{{'));
        const template = JSON.stringify({ params: { whole: '{{a}}', inner: { text: parts.join('') } } });
        const line = build(template, json);
        assert.doesNotMatch(line, /[\r\n]/);
        const { params } = JSON.parse(line);
        assert.deepEqual(params.whole, before.a);
        if (indent === undefined) {
          assert.ok(line.includes(`"whole":${JSON.stringify(cells.a)}`));
        }
        const asText = (cell: unknown) => (typeof cell === 'string' ? cell : cell === null ? '' : JSON.stringify(cell));
        const expected = parts.map(part =>
          part === '{{a}}' ? asText(before.a) : part === '{{b}}' ? before.b : part === '{{{{' ? '{{' : part,
        );
        if (parts.every(part => part === '{{a}}')) {
          assert.deepEqual(params.inner.text, parts.length === 1 ? before.a : expected.join(''));
        } else if (parts.length > 1 || parts[0] === '{{{{') {
          assert.equal(params.inner.text, expected.join(''));
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
