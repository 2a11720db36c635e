import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { batchRequestSchema } from '../../../../src/contract/batchRequest';
import { messageParamsSchema } from '../../../../src/contract/messageParams';
import type { Problem } from '../../../../src/contract/problem';
import { checkParams } from '../../../../src/emulator/messages/checkParams';
import { ModelCatalog } from '../../../../src/emulator/models/modelCatalog';
import { QuickLineCheck } from '../../../../src/jsonl/checking/quickLineCheck';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { slipText, toolFieldText } from '../../../../src/jsonl/rules/looseFields';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { ruleTable } from '../../../../src/jsonl/rules/ruleTable';
import { runs } from '../../../helpers/runs';
import { mutatedLine } from '../mutations';
import { requestLine } from '../requestLines';

const options = contractRules('2026-01-01');
const models = new ModelCatalog('vendor-');
const quick = new QuickLineCheck(options);

/** Rules of the schemas. A service refuses lines with these problems, even if the severity is only a warning. */
const schemaRules = [
  'missing-field',
  'unknown-field',
  'wrong-type',
  'value-not-allowed',
  'number-out-of-range',
  'text-length',
  'item-count',
  'text-pattern',
  'newer-field',
  'empty-content',
];
/** Returns whether the schema accepts the value of a problem. */
const isTaken = ({ text, rule, severity }: Problem) =>
  text.template === slipText || text.template === toolFieldText || (rule === 'empty-content' && severity === 'warning');
/** Rules that the contract only suggests. Both the emulator and the services refuse such requests. */
const likely = ['no-messages', 'sampling-rejected', 'tool-not-defined', 'thinking-budget'];
const refused: ReadonlySet<string> = new Set([
  ...schemaRules,
  ...likely,
  'credit-with-fallbacks',
  'credit-needs-beta',
  'user-profile-conflict',
]);

/** Returns whether the rules expect a refusal for the params of a line. */
function isRefusedByRules(line: string): boolean {
  const { kind, problems } = checkRequestLine(line, 0, options);
  const inParams = problems.filter(({ path: at }) => kind === 'params' || (at[0] === 'params' && at.length > 1));
  // The emulator considers every credit token in these lines malformed.
  return inParams.some(problem => (refused.has(problem.rule) && !isTaken(problem)) || problem.rule === 'credit-expires');
}

function paramsOf(line: string): Record<string, unknown> | undefined {
  const value = JSON.parse(line) as Record<string, unknown>;
  const params = 'params' in value || 'custom_id' in value ? value.params : value;
  return typeof params === 'object' && params !== null && !Array.isArray(params) ? (params as Record<string, unknown>) : undefined;
}

function agrees(line: string): void {
  const { kind } = checkRequestLine(line, 0, options);
  const params = kind === 'request' || kind === 'params' ? paramsOf(line) : undefined;
  if (params === undefined) {
    return;
  }
  const checked = checkParams(params, models, false);
  // The contract lacks the token limits of models, so only the emulator refuses such requests.
  if ('problem' in checked && /^max_tokens: \d+ > \d+/.test(checked.problem)) {
    return;
  }
  assert.equal(isRefusedByRules(line), 'problem' in checked, `${'problem' in checked ? checked.problem : 'accepted'}: ${line}`);
}

describe('jsonl/rules, schemas and emulator', () => {
  it('report no error for what the emulator accepts', () => {
    const ofOneRequest = Object.entries(ruleTable)
      .filter(([, { severity }]) => severity === 'error')
      .map(([rule]) => rule);
    const ofJsonOrFile = [
      'json-syntax',
      'duplicate-key',
      'too-deep',
      'not-a-request',
      'duplicate-id',
      'made-id-taken',
      'no-requests',
      'request-too-large',
      'line-too-long',
      'not-utf8',
    ];
    assert.deepEqual(ofOneRequest.filter(rule => !refused.has(rule)).sort(), ofJsonOrFile.sort());
  });

  it('agree on the sample files and the recordings', () => {
    let count = 0;
    for (const name of readdirSync('media/samples')) {
      for (const line of readFileSync(path.join('media/samples', name), 'utf8').split('\n')) {
        if (line.startsWith('{') && name.endsWith('.jsonl')) {
          agrees(line);
          count++;
        }
      }
    }
    for (const name of readdirSync('test/fixtures/captures')) {
      for (const line of readFileSync(path.join('test/fixtures/captures', name), 'utf8').split('\n')) {
        for (const request of requestsIn(line)) {
          agrees(JSON.stringify(request));
          count++;
        }
      }
    }
    assert.ok(count > 5, `${count} lines`);
  });

  it('agree on valid lines and on valid lines with one change', () => {
    fc.assert(fc.property(requestLine, agrees), { numRuns: runs(300) });
    fc.assert(fc.property(mutatedLine, agrees), { numRuns: runs(3000) });
  });

  it('report every changed line that the schema rejects, at least at one position, in the editor and in a file', () => {
    fc.assert(
      fc.property(mutatedLine, line => {
        const { kind, problems } = checkRequestLine(line, 0, options);
        const value: unknown = JSON.parse(line);
        const schema = kind === 'request' ? batchRequestSchema : messageParamsSchema;
        const isRight = kind !== 'invalid' && schema.safeParse(value).success;
        assert.equal(
          isRight,
          !problems.some(one => (schemaRules.includes(one.rule) && !isTaken(one)) || one.rule === 'not-a-request'),
          line,
        );
        for (const { start, end } of problems) {
          assert.ok(start >= 0 && start <= end && end <= line.length, line);
        }
        const words = (found: readonly { readonly rule: string; readonly severity: string }[]) =>
          found.map(one => `${one.rule} ${one.severity}`).sort();
        assert.deepEqual(words(quick.checkQuickly(line, 0).noted), words(problems), line);
        assert.deepEqual(quick.check(line, 0).problems, problems, line);
      }),
      { numRuns: runs(4000) },
    );
  });
});

/** Returns the bodies of message requests and batches in a line of a recorded exchange. */
function requestsIn(line: string): readonly unknown[] {
  if (!line.startsWith('{')) {
    return [];
  }
  try {
    const value = JSON.parse(line) as Record<string, unknown>;
    if (Array.isArray(value.requests)) {
      return value.requests;
    }
    return Array.isArray(value.messages) ? [value] : [];
  } catch {
    return [];
  }
}
