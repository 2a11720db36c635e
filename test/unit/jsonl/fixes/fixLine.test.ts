import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Problem } from '../../../../src/contract/problem';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { fixesOfProblem } from '../../../../src/jsonl/fixes/fixesOfProblem';
import { fixKinds } from '../../../../src/jsonl/fixes/fixKinds';
import { type FixChooser, fixLine, type LineCheck } from '../../../../src/jsonl/fixes/fixLine';
import { JsonLine } from '../../../../src/jsonl/fixes/jsonLine';
import type { FixContext } from '../../../../src/jsonl/fixes/lineFix';
import { applyEdits, smallestEdit } from '../../../../src/jsonl/fixes/textEdit';
import type { RuleOptions } from '../../../../src/jsonl/rules/ruleOptions';
import { runs } from '../../../helpers/runs';
import { requestLine } from '../requestLines';
import { mutated } from './mutations';

const options: RuleOptions = { severities: {}, models: ['vendor-opus-5', 'm'], betas: [], today: '2026-11-21' };
const check = (text: string, line: number) => checkRequestLine(text, line, options);
const context: FixContext = { line: 0, isTaken: () => false, models: options.models ?? [] };
const safe: FixChooser = fix => fix.preferred && fixKinds[fix.kind].isSafe;
const preferred: FixChooser = fix => fix.preferred;

function textsOf(text: string, choose: FixChooser): readonly string[] {
  return fixLine(text, context, check, choose).parts.map(part => part.text);
}

describe('jsonl/fixes/fixLine', () => {
  it('applies all safe fixes, and only those', () => {
    const text =
      "{'params':{'model':'vendor-opus-5','max_tokens':'10','messages':[{'role':'User','content':'hi'},],'stream':True,'zzz':1,'temperature':0.2,}, 'custom_id':'a b',} // x";
    const fixed =
      '{"params":{"model":"vendor-opus-5","max_tokens":10,"messages":[{"role":"user","content":"hi"}],"zzz":1}, "custom_id":"a_b"}';
    assert.deepEqual(textsOf(text, safe), [fixed]);
  });

  it('fixes each request of a line with several', () => {
    const request = (id: string) =>
      `{"custom_id":"${id}","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}],"stream":true}}`;
    assert.deepEqual(
      textsOf([request('a'), request('b'), request('c')].join(' '), safe),
      [request('a'), request('b'), request('c')].map(text => text.replace(',"stream":true', '')),
    );
  });

  it('keeps lines without problems', () => {
    fc.assert(
      fc.property(requestLine, text => {
        const severities = Object.fromEntries(check(text, 0).problems.map(({ rule }) => [rule, 'off' as const]));
        const silent: LineCheck = (line, number) => checkRequestLine(line, number, { ...options, severities });
        assert.deepEqual(fixLine(text, context, silent, preferred).parts, [{ text, checked: silent(text, 0) }]);
        assert.deepEqual(silent(text, 0).problems, []);
      }),
    );
  });

  it('repairs an invalid line and keeps its values, whatever was changed in a valid line', () => {
    fc.assert(
      fc.property(mutated(requestLine), text => {
        const { problems } = check(text, 0);
        for (const problem of problems) {
          for (const fix of fixesOfProblem(new JsonLine(text), problem, context)) {
            const sorted = [...fix.edits].sort((a, b) => a.start - b.start);
            for (const [index, edit] of sorted.entries()) {
              assert.ok(edit.start >= 0 && edit.end >= edit.start && edit.end <= text.length);
              assert.ok(edit.start >= (sorted[index - 1]?.end ?? 0), 'edits overlap');
            }
            const after = applyEdits(text, fix.edits).split('\n');
            assertAnswered(
              problem,
              problems,
              after.flatMap(part => check(part, 0).problems),
              `${fix.kind}: ${text} -> ${after.join('\n')}`,
            );
          }
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('converges, and changes nothing the second time', () => {
    fc.assert(
      fc.property(mutated(requestLine), fc.boolean(), (text, isSafe) => {
        const choose = isSafe ? safe : preferred;
        const once = textsOf(text, choose);
        assert.deepEqual(
          once.flatMap(line => textsOf(line, choose)),
          once,
        );
      }),
      { numRuns: runs(300) },
    );
  });

  it('splits no surrogate pair', () => {
    assert.deepEqual(smallestEdit('a😀b', 'a😁b'), { start: 1, end: 3, text: '😁' });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        assert.equal(applyEdits(before, [smallestEdit(before, after)]), after);
      }),
    );
  });
});

/**
 * Asserts that a problem is fixed. The line must have fewer problems of the same rule, at the same path or in total. Invalid JSON may
 * remain invalid.
 */
function assertAnswered(problem: Problem, before: readonly Problem[], after: readonly Problem[], message: string): void {
  const same = (other: Problem) => other.rule === problem.rule && JSON.stringify(other.path) === JSON.stringify(problem.path);
  const sameRule = (other: Problem) => other.rule === problem.rule;
  const isGone = after.filter(same).length < before.filter(same).length || after.filter(sameRule).length < before.filter(sameRule).length;
  assert.ok(isGone || problem.rule === 'json-syntax', message);
}
