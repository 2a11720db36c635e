import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkJson } from '../../../../../src/webview/session/asks/jsonCheck';

describe('webview/session/asks/jsonCheck', () => {
  for (const text of ['', 'twelve degrees', '12', '"a"', ' (list)']) {
    it(`takes ${JSON.stringify(text)} for words`, () => {
      assert.deepEqual(checkJson(text), { kind: 'text' });
    });
  }

  it('knows JSON', () => {
    assert.deepEqual(checkJson(' {"a": [1]} '), { kind: 'json' });
  });

  it('tells where JSON is broken', () => {
    assert.deepEqual(checkJson('{\n  "a": x\n}'), { kind: 'broken', line: 2, column: 8, isCut: false });
  });

  for (const [text, line, column] of [
    ['[1, 2,]', 1, 7],
    ['{"a" 1}', 1, 6],
    ['{"a": 1} x', 1, 10],
    ['[\n01]', 2, 1],
    ["{'a': 1}", 1, 2],
    ['[1}', 1, 3],
    ['{"a": "x\ny"}', 1, 7],
    ['[undefined]', 1, 2],
  ] as const) {
    it(`finds the fault in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(checkJson(text), { kind: 'broken', line, column, isCut: false });
    });
  }

  it('finds a fault at the end of whatever is cut off', () => {
    fc.assert(
      fc.property(fc.oneof(fc.object(), fc.array(fc.jsonValue(), { minLength: 1 })), fc.nat(), (value, seed) => {
        const json = JSON.stringify(value);
        const cut = json.slice(0, 1 + (seed % Math.max(1, json.length - 1)));
        const found = checkJson(cut);
        assert.ok(cut === json ? found.kind === 'json' : found.kind === 'broken');
      }),
    );
  });

  it('tells that JSON is not complete', () => {
    assert.deepEqual(checkJson('{"a": [1,'), { kind: 'broken', line: 1, column: 10, isCut: true });
  });
});
