import assert from 'node:assert/strict';
import { beginningOf } from '../../../../src/jsonl/guide/beginningOf';
import { requestSchema } from './guideSchema';

describe('jsonl/guide/beginningOf', () => {
  for (const [text, expected] of [
    ['', 'any'],
    ['\ufeff  ', 'any'],
    ['{', 'object'],
    ['{}', 'object'],
    ['{"', 'object'],
    ['{"cus', 'object'],
    ['{"level"', 'object'],
    ['{"model":', 'object'],
    ['{"model":"m","max_tokens":1,', 'object'],
    ['{"custom_id":', 'request'],
    ['{"custom_id":"a",', 'request'],
    ['{"level":', undefined],
    ['{"model":"m","level":"info"', undefined],
    ['{"custom_id":"a","method":"POST",', undefined],
    ['{"id":1,', undefined],
    ['request', undefined],
    ['[{"custom_id":"a"', undefined],
    ['"{"', undefined],
  ] as const) {
    it(`takes ${JSON.stringify(text)} for ${expected ?? 'something else'}`, () => assert.equal(beginningOf(requestSchema, text), expected));
  }
});
