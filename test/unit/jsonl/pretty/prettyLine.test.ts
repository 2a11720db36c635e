import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { toJsonTokens, tokenText } from '../../../../src/jsonl/pretty/jsonTokens';
import { hasSameTokens, toLine, toPretty } from '../../../../src/jsonl/pretty/prettyLine';
import { runs } from '../../../helpers/runs';
import { spacedJson, spacedLine } from './spacedJson';

function lineOf(pretty: string, original: string, like?: string): string {
  const result = toLine(pretty, original, like);
  return 'line' in result ? result.line : assert.fail(`no line: a string is open at ${result.openStringAt}`);
}

const tokensOf = (text: string) => {
  const tokens = toJsonTokens(text);
  return tokens.starts.map((_, index) => tokenText(tokens, index));
};

describe('jsonl/pretty/prettyLine', () => {
  it('keeps U+2028, U+2029 and U+0085, in a request and while it is edited', () => {
    const lines = readFileSync('test/fixtures/requests/20-separators.requests.jsonl', 'utf8').split('\n').slice(0, -1);
    assert.match(lines.join(), /\u2028/);
    for (const line of lines) {
      const pretty = toPretty(line);
      assert.equal(lineOf(pretty, line), line);
      const edited = pretty.replace('256', '512');
      assert.equal(lineOf(edited, line), line.replace('256', '512'));
    }
  });

  it('formats a line like JSON.stringify, with every token unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        assert.equal(toPretty(JSON.stringify(value)), `${JSON.stringify(value, null, 2)}\n`);
        assert.equal(toPretty(JSON.stringify(value), '\t'), `${JSON.stringify(value, null, '\t')}\n`);
      }),
    );
    assert.equal(toPretty('{"a":1.0,"a":1e400}\r'), '{\n  "a": 1.0,\n  "a": 1e400\n}\n');
  });

  it('restores every byte of an unedited line, with any spacing', () => {
    fc.assert(
      fc.property(spacedLine, line => {
        assert.equal(lineOf(toPretty(line), line), line);
        assert.equal(lineOf(toPretty(line).replaceAll('\n', '\r\n'), line), line);
        assert.deepEqual(tokensOf(toPretty(line)), tokensOf(line));
      }),
    );
  });

  it('restores every byte of any line', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', ' ', 'a', '1', '\t', '-', 'é')), parts => {
        const line = parts.join('');
        assert.equal(lineOf(toPretty(line), line), line);
      }),
      { numRuns: runs(500) },
    );
  });

  it('changes only the bytes of the edited token', () => {
    fc.assert(
      fc.property(spacedLine, fc.nat(), fc.constantFrom('"new words"', '42', '"\\n"'), (line, at, text) => {
        const tokens = toJsonTokens(line);
        const places = tokens.starts.flatMap((_, index) => (/^["\dtfn-]/.test(tokenText(tokens, index)) ? [index] : []));
        const place = places[at % places.length];
        fc.pre(place !== undefined);
        const pretty = toPretty(line);
        const shown = toJsonTokens(pretty);
        const replaced = (whole: string, { starts, ends }: typeof tokens) =>
          whole.slice(0, starts[place]) + text + whole.slice(ends[place]);
        assert.equal(lineOf(replaced(pretty, shown), line), replaced(line, tokens));
      }),
    );
  });

  it('keeps the spacing around several edited tokens', () => {
    const line = '{ "a" :1 ,"b":  [1, 2,3 ],\t"c":{"d" : null} }\r';
    const edited = toPretty(line).replace('"a": 1', '"a": 10').replace('2,', '"two",').replace('null', 'true');
    assert.equal(lineOf(edited, line), '{ "a" :10 ,"b":  [1, "two",3 ],\t"c":{"d" : true} }\r');
    const grown = toPretty(line).replace('null', '{\n"deep": true}');
    assert.equal(lineOf(grown, line), '{ "a" :1 ,"b":  [1, 2,3 ],\t"c":{"d" :{"deep":true}} }\r');
  });

  it('never joins two words', () => {
    assert.equal(lineOf('[true\nfalse]', '[1,2]'), '[true false]');
    assert.equal(lineOf('{true\nfalse]', '[1"2"]'), '{true false]');
  });

  it('writes new parts in the style of the line', () => {
    const add = (line: string) => lineOf(toPretty(line).replace('{', '{"x": [1,2],'), line);
    assert.equal(add('{"a": 1, "b": 2}'), '{"x": [1, 2], "a": 1, "b": 2}');
    assert.equal(add('{"a":1,"b":2}'), '{"x":[1,2],"a":1,"b":2}');
    assert.equal(add('{ "a" : 1 , "b" : 2 }'), '{"x": [1, 2], "a" : 1 , "b" : 2 }');
    assert.equal(add('{"a": 1}'), '{"x": [1, 2], "a": 1}');
    assert.equal(lineOf('{"x": 1,\n"y": 2}', '', '{"a": 1, "b": 2}'), '{"x": 1, "y": 2}');
    assert.equal(lineOf('{"x": 1}', '\r'), '{"x":1}\r');
  });

  it('accepts any white space of a formatter, and never returns a line feed', () => {
    fc.assert(
      fc.property(spacedLine, spacedJson, fc.constantFrom('\n\n', '\r\n', '\n\t', ' \n'), (line, other, space) => {
        const tokens = tokensOf(other);
        const result = lineOf(`${space}${tokens.join(space)}${space}`, line);
        assert.ok(!result.includes('\n'));
        assert.deepEqual(tokensOf(result), tokens);
      }),
    );
  });

  it('shows broken JSON with its tokens in order, and saves it', () => {
    const line = '{"a":1 "b" 2,}}';
    assert.equal(toPretty(line), '{\n  "a": 1\n  "b"\n  2,\n}\n}\n');
    assert.equal(lineOf(toPretty(line), line), line);
    assert.equal(lineOf(toPretty(line).replace('1\n', '1,\n').replace('"b"', '"b":'), line), '{"a":1,"b":2,}}');
    const open = ' {"a":"b, "c":1} ';
    assert.equal(toPretty(open), `${open.trimStart()}\n`);
    assert.equal(lineOf(toPretty(open), open), open);
    assert.equal(lineOf('{"a":"b", "c":1}\n', open), ' {"a":"b","c":1}');
  });

  it('rejects an unclosed string, with its position', () => {
    assert.deepEqual(toLine('{\n  "a": "one\n  two"\n}', '{}'), { openStringAt: 9 });
    assert.deepEqual(toLine('{\n  "a": "one\\\n"b": 1}', '{}'), { openStringAt: 9 });
  });

  it('shows endless nesting unchanged', () => {
    const deep = '['.repeat(100_000);
    assert.equal(toPretty(deep), `${deep}\n`);
    const wide = `${'['.repeat(500)}${'1,'.repeat(100_000)}1${']'.repeat(500)}`;
    assert.ok(toPretty(wide).length < wide.length * 20 + (1 << 21));
    assert.equal(lineOf(toPretty(wide), wide), wide);
  });

  it('recognizes texts that differ only in white space', () => {
    assert.equal(hasSameTokens('{"a": [1]}', '{\n"a":[ 1 ]\n}\n'), true);
    assert.equal(hasSameTokens('{"a":1}', '{"a":1.0}'), false);
  });
});
