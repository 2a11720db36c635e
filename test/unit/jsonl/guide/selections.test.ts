import assert from 'node:assert/strict';
import { findSelections } from '../../../../src/jsonl/guide/selections';
import { atCursor } from './guideSchema';

function textsAt(marked: string): string[] {
  const { text, column } = atCursor(marked);
  return findSelections(text, column).map(([start, end]) => text.slice(start, end));
}

describe('jsonl/guide/selections', () => {
  it('grows from the content of a string to the line', () => {
    assert.deepEqual(textsAt(' {"a": [1, {"b": "x| y", "c": 2}]}'), [
      'x y',
      '"x y"',
      '"b": "x y"',
      '"b": "x y", "c": 2',
      '{"b": "x y", "c": 2}',
      '1, {"b": "x y", "c": 2}',
      '[1, {"b": "x y", "c": 2}]',
      '"a": [1, {"b": "x y", "c": 2}]',
      '{"a": [1, {"b": "x y", "c": 2}]}',
      ' {"a": [1, {"b": "x y", "c": 2}]}',
    ]);
    assert.deepEqual(textsAt('{"k|ey": 1}'), ['key', '"key"', '"key": 1', '{"key": 1}']);
    assert.deepEqual(textsAt('{"a": tr|ue}'), ['true', '"a": true', '{"a": true}']);
  });

  it('handles a broken line as far as possible', () => {
    assert.deepEqual(textsAt('{"a": "x|'), ['x', '"x', '"a": "x', '{"a": "x']);
    assert.deepEqual(textsAt('|'), ['']);
  });
});
