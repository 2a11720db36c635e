import assert from 'node:assert/strict';
import fc from 'fast-check';
import { QuickLineCheck } from '../../../../src/jsonl/checking/quickLineCheck';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { contractRules, type RuleOptions } from '../../../../src/jsonl/rules/ruleOptions';
import { runs } from '../../../helpers/runs';
import { requestLine } from '../requestLines';

const options: RuleOptions = { ...contractRules('2026-07-01'), models: ['m', 'vendor-opus-4-8'], betas: [] };
const check = new QuickLineCheck(options);

function agrees(line: string): void {
  const truth = checkRequestLine(line, 3, options);
  assert.deepEqual(check.check(line, 3), truth, line);
  const { kind, customId, model, noted } = check.look(line, 3);
  assert.deepEqual([kind, customId, model], [truth.kind, truth.customId, truth.model], line);
  const counted = (found: readonly { readonly rule: string; readonly severity: string }[]) =>
    found.map(({ rule, severity }) => `${rule} ${severity}`).sort();
  assert.deepEqual(counted(noted), counted(truth.problems), line);
}

describe('jsonl/checking/quickLineCheck', () => {
  it('says what the rules say, for right lines and for cut ones', () => {
    fc.assert(
      fc.property(requestLine, fc.nat(), (line, at) => {
        agrees(line);
        agrees(line.slice(0, at % line.length));
        agrees(line.slice(at % line.length));
      }),
      { numRuns: runs(500) },
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

  it('says what the rules say of free numbers of every size', () => {
    const exponents = ['0', '00', '9', '99', '+99', '-99', '308', '309', '400', '999', '+308', '+309', '-320', '-400', '0308', '9999'];
    const wholes = ['0', '1', '-1', '0.1', '-0.25', '123456789012', '9007199254740993', '-9007199254740993'];
    for (const number of wholes.flatMap(whole => [
      whole,
      ...exponents.flatMap(exponent => [`${whole}e${exponent}`, `${whole}E${exponent}`]),
    ])) {
      agrees(
        `{"custom_id":"a","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}],"tools":[{"name":"t","input_schema":{"type":"object","maximum":${number}}}]}}`,
      );
    }
  });
});
