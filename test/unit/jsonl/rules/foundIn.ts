import assert from 'node:assert/strict';
import { formatText } from '../../../../src/contract/problem';
import { QuickLineCheck } from '../../../../src/jsonl/checking/quickLineCheck';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { contractRules, type RuleOptions } from '../../../../src/jsonl/rules/ruleOptions';

/** Valid params of a message request. */
export const sound = { model: 'vendor-opus-4-6', max_tokens: 2048, messages: [{ role: 'user', content: 'x' }] };

/** Returns the problems of one rule in valid params with `more`, as severity, path and marked text. */
export function foundIn(rule: string, more: object, options: Partial<RuleOptions> = {}): readonly string[] {
  return problemsIn(rule, more, options).map(({ severity, path, marked }) => `${severity} ${path.join('.')} ${marked}`);
}

/** Returns the problems of one rule in valid params with `more`. Asserts that the quick check of a line finds them too. */
export function problemsIn(rule: string, more: object, options: Partial<RuleOptions> = {}) {
  const line = JSON.stringify({ ...sound, ...more });
  const all = { ...contractRules('2026-01-01'), ...options };
  const checked = checkRequestLine(line, 0, all);
  const quick = new QuickLineCheck(all);
  // The quick check runs the rules on the first line of a model. After that it relies on what the scan notes.
  quick.check(JSON.stringify(sound), 0);
  assert.deepEqual(quick.check(line, 0), checked, 'The scan notes nothing for the rules here: see requestWatches.ts.');
  const { problems } = checked;
  return problems
    .filter(problem => problem.rule === rule)
    .map(problem => {
      const sentence = formatText(problem.text);
      assert.match(sentence, /^[^{}]+[.?!]$/, sentence);
      return { ...problem, sentence, marked: line.slice(problem.start, problem.end) };
    });
}
