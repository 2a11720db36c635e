import assert from 'node:assert/strict';
import fc from 'fast-check';
import { QuickLineCheck } from '../../../src/jsonl/quickLineCheck';
import { checkRequestLine } from '../../../src/jsonl/requestRules';
import { requestLine } from './requestLines';

const check = new QuickLineCheck();
const agrees = (line: string) => assert.deepEqual(check.check(line, 3), checkRequestLine(line, 3), line);

describe('src/jsonl/quickLineCheck', () => {
  it('says what the rules say, for right lines and for cut ones', () => {
    fc.assert(
      fc.property(requestLine, fc.nat(), (line, at) => {
        agrees(line);
        agrees(line.slice(0, at % line.length));
        agrees(line.slice(at % line.length));
      }),
      { numRuns: 500 },
    );
  });

  it('says what the rules say of halves of surrogate pairs, blank lines, line feeds and long lines', () => {
    const params = (system: string) => `{"model":"m","max_tokens":1,"messages":[],"system":"${system}"}`;
    for (const line of [
      params('\ud83d'),
      params('\ud83d\ude00'),
      '',
      ' \t',
      `${params('a')}\n${params('b')}`,
      '\n',
      params('é'.repeat(100_000)),
    ]) {
      agrees(line);
    }
  });
});
