import assert from 'node:assert/strict';
import fc from 'fast-check';
import { editsOf } from '../../../../../src/jsonl/fixes/edits/editRewriter';
import type { FieldEdit } from '../../../../../src/jsonl/fixes/edits/fieldEdit';
import { JsonLine } from '../../../../../src/jsonl/fixes/jsonLine';
import { applyEdits } from '../../../../../src/jsonl/fixes/textEdit';
import { runs } from '../../../../helpers/runs';

const set = (path: readonly (string | number)[], value: string): FieldEdit => ({ kind: 'set', path, value });
const remove = (...path: readonly (string | number)[]): FieldEdit => ({ kind: 'remove', path });
const putTool = (value: string): FieldEdit => ({ kind: 'put_tool', name: JSON.parse(value).name, value });

/** Returns the line after an edit, or the reason why the line is unchanged. */
function edited(text: string, edit: FieldEdit): string {
  const edits = editsOf(new JsonLine(text), edit);
  return typeof edits === 'string' ? `(${edits})` : applyEdits(text, edits);
}

describe('jsonl/fixes/edits/editRewriter', () => {
  const cases: readonly (readonly [name: string, before: string, edit: FieldEdit, after: string])[] = [
    ['replaces a value', '{"custom_id":"a","params":{"model":"m"}}', set(['model'], '"n"'), '{"custom_id":"a","params":{"model":"n"}}'],
    ['edits bare params', '{"model": "m", "messages": []}', set(['max_tokens'], '5'), '{"model": "m", "messages": [], "max_tokens": 5}'],
    ['writes numbers as they are given', '{"model":"m","max_tokens":1}', set(['max_tokens'], '1.50'), '{"model":"m","max_tokens":1.50}'],
    ['makes what leads to a field', '{"model":"m"}', set(['metadata', 'user_id'], '"u"'), '{"model":"m","metadata":{"user_id":"u"}}'],
    [
      'takes null for nothing',
      '{"model":"m","metadata":null}',
      set(['metadata', 'user_id'], '1'),
      '{"model":"m","metadata":{"user_id":1}}',
    ],
    ['does not write through a text', '{"model":"m","metadata":"x"}', set(['metadata', 'user_id'], '1'), '(blocked)'],
    ['makes no items of arrays', '{"model":"m","messages":[]}', set(['messages', 0, 'role'], '"user"'), '(blocked)'],
    [
      'writes into items',
      '{"model":"m","messages":[{"role":"x"}]}',
      set(['messages', 0, 'role'], '"user"'),
      '{"model":"m","messages":[{"role":"user"}]}',
    ],
    ['makes no params', '{"custom_id":"a"}', set(['model'], '"m"'), '(blocked)'],
    ['writes nothing into params of another kind', '{"custom_id":"a","params":[1]}', set(['model'], '"m"'), '(blocked)'],
    ['leaves what says so already', '{"model":"caf\\u00e9"}', set(['model'], '"café"'), '(same)'],
    ['leaves what differs by spaces only', '{"model":"m","metadata":{ "a" : 1 }}', set(['metadata'], '{"a":1}'), '(same)'],
    ['sets the key that counts', '{"model":"a","model":"b"}', set(['model'], '"c"'), '{"model":"a","model":"c"}'],
    ['removes every key of a name', '{"top_k":1,"model":"m","top_k":2,"top_k":3}', remove('top_k'), '{"model":"m"}'],
    ['removes the only field', '{"custom_id":"a","params":{ "top_k":1 }}', remove('top_k'), '{"custom_id":"a","params":{}}'],
    ['removes inside', '{"model":"m","metadata":{"a":1,"user_id":"u"}}', remove('metadata', 'user_id'), '{"model":"m","metadata":{"a":1}}'],
    ['has nothing to remove', '{"model":"m"}', remove('metadata', 'user_id'), '(absent)'],
    [
      'keeps fields beside the params',
      '{"model":"x","params":{"model":"m"}}',
      set(['model'], '"n"'),
      '{"model":"x","params":{"model":"n"}}',
    ],
    ['adds a system prompt', '{"model":"m"}', { kind: 'set_system', value: '"s"' }, '{"model":"m","system":"s"}'],
    [
      'keeps the cache mark of a system prompt',
      '{"system":[{"type":"text","text":"old","cache_control":{"type":"ephemeral"}}],"model":"m"}',
      { kind: 'set_system', value: '"new"' },
      '{"system":[{"type":"text","text":"new","cache_control":{"type":"ephemeral"}}],"model":"m"}',
    ],
    [
      'leaves system prompts of several blocks',
      '{"model":"m","system":[{"text":"a"},{"text":"b"}]}',
      { kind: 'set_system', value: '"s"' },
      '(blocks)',
    ],
    ['writes over an empty system prompt', '{"model":"m","system":[]}', { kind: 'set_system', value: '"s"' }, '{"model":"m","system":"s"}'],
    ['adds the first tool', '{"model":"m"}', putTool('{"name":"a"}'), '{"model":"m","tools":[{"name":"a"}]}'],
    ['adds a tool to none', '{"model":"m","tools":[ ]}', putTool('{"name":"a"}'), '{"model":"m","tools":[{"name":"a"} ]}'],
    [
      'adds a tool behind others',
      '{"model": "m", "tools": [{"name": "b"}]}',
      putTool('{"name":"a"}'),
      '{"model": "m", "tools": [{"name": "b"}, {"name":"a"}]}',
    ],
    [
      'replaces a tool of its name',
      '{"model":"m","tools":[{"name":"a","x":1},{"name":"b"}]}',
      putTool('{"name":"a"}'),
      '{"model":"m","tools":[{"name":"a"},{"name":"b"}]}',
    ],
    ['leaves a tool that is there', '{"model":"m","tools":[{ "name": "a" }]}', putTool('{"name":"a"}'), '(same)'],
    [
      'removes a tool',
      '{"model":"m","tools":[{"name":"a"},7,{"name":"b"}]}',
      { kind: 'remove_tool', name: 'b' },
      '{"model":"m","tools":[{"name":"a"},7]}',
    ],
    ['removes the last tool with the list', '{"model":"m","tools":[{"name":"a"}]}', { kind: 'remove_tool', name: 'a' }, '{"model":"m"}'],
    ['has no such tool', '{"model":"m","tools":[{"name":"a"}]}', { kind: 'remove_tool', name: 'b' }, '(absent)'],
    [
      'reads names with escapes',
      '{"model":"m","tools":[{"name":"\\u0061"},{"name":"b"}]}',
      { kind: 'remove_tool', name: 'a' },
      '{"model":"m","tools":[{"name":"b"}]}',
    ],
  ];
  for (const [name, before, edit, after] of cases) {
    it(name, () => assert.equal(edited(before, edit), after));
  }

  /**
   * Members in unusual notations: numbers that JavaScript would write differently, escapes, duplicate keys and white space.
   */
  const space = fc.constantFrom('', '', ' ', '\t', '  ');
  const key = fc.constantFrom('a', 'b', '\\u0061', 'temperature', 'messages', '__proto__', 'system');
  const raw = fc.constantFrom(
    '1.0e1',
    '0.10',
    '-0',
    '12345678901234567890',
    '"\\/\\u00e9"',
    '"😀,}"',
    '[1, 2 ]',
    '{ }',
    '{"max_tokens":1}',
    'null',
    'true',
  );
  const member = fc.tuple(key, space, space, raw).map(([name, before, after, value]) => `"${name}"${before}:${after}${value}`);
  const written = fc.constantFrom('7', '1.50', '"\\u0041"', '{"x":[]}');
  const line = fc.record({
    before: fc.array(member, { maxLength: 5 }),
    after: fc.array(member, { maxLength: 5 }),
    comma: fc.constantFrom(',', ', ', ' ,'),
    value: raw,
    isBare: fc.boolean(),
  });
  const frame = (params: string, isBare: boolean) => (isBare ? params : `{ "custom_id":"\\u0061","params" : ${params} ,"note":1.0}`);

  it('changes the given value and no other character', () => {
    fc.assert(
      fc.property(line, written, ({ before, after, comma, value, isBare }, wanted) => {
        const text = (of: string) => frame(`{ ${[...before, `"max_tokens" : ${of}`, ...after].join(comma)} }`, isBare);
        assert.equal(edited(text(value), set(['max_tokens'], wanted)), text(wanted));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('adds and removes a field and keeps all others unchanged', () => {
    fc.assert(
      fc.property(line, written, ({ before, after, comma, isBare }, wanted) => {
        const others = [...before, ...after];
        const text = frame(`{${['"model":"m"', ...others].join(comma)}}`, isBare);
        const added = edited(text, set(['max_tokens'], wanted));
        let at = 0;
        for (const other of others) {
          at = added.indexOf(other, at) + other.length;
          assert.ok(at >= other.length, `${other} is gone from ${added}`);
        }
        const parsed = JSON.parse(added);
        assert.deepEqual((isBare ? parsed : parsed.params).max_tokens, JSON.parse(wanted));
        assert.equal(edited(added, remove('max_tokens')), text);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('removes every occurrence of a field', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(member, fc.constant('"top_k":1')), { maxLength: 8 }), fc.constantFrom(',', ' , '), (members, comma) => {
        const text = frame(`{${['"model":"m"', ...members].join(comma)}}`, true);
        const expected = frame(`{${['"model":"m"', ...members.filter(other => other !== '"top_k":1')].join(comma)}}`, true);
        assert.equal(edited(text, remove('top_k')), expected === text ? '(absent)' : expected);
      }),
      { numRuns: runs(1000) },
    );
  });
});
