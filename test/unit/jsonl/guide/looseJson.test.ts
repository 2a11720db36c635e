import assert from 'node:assert/strict';
import { type LooseValue, parseLoose, textOf } from '../../../../src/jsonl/guide/looseJson';
import { runs } from '../../../helpers/runs';

/** Returns the parsed value. Missing values become `undefined`. Words that aren't JSON become strings. */
function toValue(text: string, value: LooseValue | undefined): unknown {
  switch (value?.kind) {
    case undefined:
      return undefined;
    case 'object':
      return Object.fromEntries(value.members.map(member => [textOf(text, member.key), toValue(text, member.value)]));
    case 'array':
      return value.items.map(item => toValue(text, item));
    case 'text':
      return textOf(text, value);
    case 'word': {
      const word = textOf(text, value);
      try {
        return JSON.parse(word) as unknown;
      } catch {
        return `word ${word}`;
      }
    }
  }
}

function sequence(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Returns a random JSON value. */
function randomValue(next: (below: number) => number, depth = 0): unknown {
  const texts = ['', 'a', 'say "hi", {[:', '\\', 'é\u2028😀', '\n\t', 'x"y"'];
  switch (next(depth > 4 ? 4 : 6)) {
    case 0:
      return next(1000) - 500;
    case 1:
      return [true, false, null][next(3)];
    case 2:
    case 3:
      return texts[next(texts.length)];
    case 4:
      return Array.from({ length: next(4) }, () => randomValue(next, depth + 1));
    default:
      return Object.fromEntries(Array.from({ length: next(4) }, () => [texts[next(texts.length)] ?? '', randomValue(next, depth + 1)]));
  }
}

describe('jsonl/guide/looseJson', () => {
  it('reads valid JSON like JSON.parse, with any spacing', () => {
    for (let seed = 1; seed <= runs(2000); seed++) {
      const value = randomValue(sequence(seed));
      for (const text of [JSON.stringify(value), ` ${JSON.stringify(value, null, ' ').replaceAll('\n', ' ')} `]) {
        assert.deepEqual(toValue(text, parseLoose(text)), JSON.parse(text), `seed ${seed}: ${text}`);
      }
    }
  });

  for (const [text, expected] of [
    ['{"a": 1, "b', { a: 1, b: undefined }],
    ['{"a": "x, "b": 2}', { a: 'x', b: 2 }],
    ['{""b": 2}', { '': undefined, b: 2 }],
    ['{"a": 1, "x"b": 2}', { a: 1, x: undefined, b: 2 }],
    ['{"a": "x"b": 2}', { a: 'x', b: 2 }],
    ['["a", ""b"]', ['a', '', 'b']],
    ['{"a": , "b": 2}', { a: undefined, b: 2 }],
    ['{"a": "b": 2}', { a: undefined, b: 2 }],
    ['{"a": "x" "b": 2}', { a: 'x', b: 2 }],
    ['{"a": [1, {"b": 2, "c": 3}', { a: [1, { b: 2, c: 3 }] }],
    ['{"a": {"b": [1, 2}, "c": 3}', { a: { b: [1, 2] }, c: 3 }],
    ['{a: 1, "b": tru}', { a: 1, b: 'word tru' }],
    ['{"a": 1}}', { a: 1 }],
    ['{"a": 1], "b": 2}', { a: 1, b: 2 }],
    ['{"a": "x\\"', { a: 'x"' }],
    ['[,,1,,]', [1]],
    ['{{"a": 1}, "b": 2}', { b: 2 }],
    ['\ufeff{"a": 1}', { a: 1 }],
    ['', undefined],
  ] as const) {
    it(`parses ${JSON.stringify(text)}`, () => assert.deepEqual(toValue(text, parseLoose(text)), expected));
  }

  it('parses anything without throwing', () => {
    const pieces = ['"', '\\"', '{', '[', ']', '}', ',', ':', '{"a":', '"x" y ', '"a":"b" ', ' ', '\\'];
    for (const piece of pieces) {
      for (const begin of ['', '{"a":', '["']) {
        parseLoose(begin + piece.repeat(20_000));
      }
    }
  });
});
