import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { Problem } from '../../../src/contract/problem';
import { checkBatchFile } from '../../../src/jsonl/checking/batchFile';
import { contractLimits } from '../../../src/jsonl/checking/batchRules';
import { DocumentChecker } from '../../../src/jsonl/checking/documentChecker';
import { QuickLineCheck } from '../../../src/jsonl/checking/quickLineCheck';
import type { JobContext } from '../../../src/jsonl/files/jobContext';
import { contractRules, type RuleOptions } from '../../../src/jsonl/rules/ruleOptions';
import { runs } from '../../helpers/runs';
import { mutatedLine } from './mutations';
import { requestLine } from './requestLines';

const context: JobContext = {
  signal: new AbortController().signal,
  throwIfAborted: () => {},
  progress: () => {},
  slots: { next: () => new Uint8Array(0), emit: () => {} },
};
/** Rules for problems that only a file can have, not an open document. */
const fileOnly: ReadonlySet<string> = new Set(['byte-order-mark', 'carriage-returns']);
const rules = contractRules('2026-01-01');
const quick = new QuickLineCheck(rules);

const params = '"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}]';
const bare = (more: string) => `{${params},${more}}`;

const torture: Record<string, string> = {
  'a key that stands twice': bare('"metadata":{"a":1,"a":2},"system":"x","system":"y"'),
  '__proto__ as key and as id': `{"custom_id":"__proto__","params":{${params},"metadata":{"__proto__":{"a":1},"constructor":1}}}`,
  '__proto__ as a field': bare('"__proto__":{"stream":true}'),
  'halves of surrogate pairs': bare('"system":"\\ud83d","stop_sequences":["\\udc00\\ud800"]'),
  'depth without end': `{${params},"metadata":${'{"a":['.repeat(100_000)}`,
  'brackets without end': '['.repeat(100_000),
  'depth that just passes': bare(`"metadata":{"a":${'['.repeat(400)}${']'.repeat(400)}}`),
  'a text of 5 MB': bare(`"system":"${'é'.repeat(2_500_000)}"`),
  'a key of 1 MB': bare(`"${'k'.repeat(1_000_000)}":1`),
  'a control character': bare('"system":"a\u0000b"'),
  'NUL alone': '\u0000',
  'another line separator': bare('"system":"a\u2028b\u2029c\u0085d"'),
  'numbers of every size': bare(
    '"metadata":{"n":[1e400,-1e400,1e-400,9007199254740993,0.1234567890123456789,-0,1E5,123456789012345678901234567890]}',
  ),
  'a number without end': bare(`"metadata":{"n":${'9'.repeat(100_000)}}`),
  'a byte order mark inside': `\ufeff${bare('"top_k":1')}`,
  'white space of other kinds': `\u00a0${bare('"top_k":1')}\u3000`,
  'two requests': `${bare('"top_k":1')} ${bare('"top_k":1')}`,
  'ids that are no names': ['"constructor"', '"toString"', '5', 'null', '""', '"a b"']
    .map(id => `{"custom_id":${id},"params":{${params}}}`)
    .join('\n'),
  'everything where nothing belongs':
    '{"custom_id":{},"params":{"model":[],"messages":{"0":1},"max_tokens":{},"tools":{"length":3},"fallbacks":[null,[],"x"],"mcp_servers":[null],"thinking":[],"tool_choice":"tool","metadata":[],"system":[[]],"output_config":"x","fallback_credit_token":{}}}',
  'blank lines': `\n \n\t\n${bare('"top_k":1')}\n\n`,
  nothing: '',
};

describe('jsonl with a difficult request file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'torture-'));
  const file = path.join(folder, 'requests.jsonl');
  after(() => rmSync(folder, { recursive: true }));

  /** Checks a text as a file and as a document. Returns the result for the file. */
  async function checkBoth(text: string, options: RuleOptions = rules, check = quick): Promise<readonly Problem[]> {
    writeFileSync(file, text);
    const { report } = await checkBatchFile(file, { limits: contractLimits, rules: options, mostProblems: 1000 }, context);
    const lines = text.split('\n');
    const checker = new DocumentChecker({ lineCount: lines.length, lineAt: line => ({ text: lines[line] ?? '' }) }, contractLimits, check);
    await checker.sweep(() => Promise.resolve(), context.signal);
    const inFile = report.problems.filter(({ rule }) => !fileOnly.has(rule));
    assert.deepEqual(sorted(checker.problems(1000)), sorted(inFile));
    assert.equal(checker.totals.problemCounts.error, report.problemCounts.error);
    assert.equal(checker.totals.requests, report.requestCount);
    return report.problems;
  }

  for (const [name, text] of Object.entries(torture)) {
    // The editor removes a byte order mark at the start of a file.
    it(`reads it completely with ${name}, in a file and in the editor`, async () => {
      await checkBoth(`${bare('"top_k":1')}\n${text}\n${bare('"top_k":1')}\n`);
    });
  }

  it('reports the same in a file and in the editor, with any lines and any severities', async () => {
    const severity = fc.constantFrom('error', 'warning', 'information', 'hint', 'off');
    const severities = fc.dictionary(
      fc.constantFrom(
        'deprecated-field',
        'duplicate-id',
        'no-messages',
        'blank-line',
        'json-syntax',
        'made-id-taken',
        'unknown-field',
        'nonsense',
      ),
      severity,
      { noNullPrototype: true },
    );
    const line = fc.oneof(
      requestLine,
      mutatedLine,
      mutatedLine.map(text => text.slice(0, -1)),
      fc.constantFrom('', `{"custom_id":"line-1","params":{${params}}}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 10 }), severities, async (lines, wanted) => {
        // Lines of the editor don't end with CR.
        const text = lines.map(one => one.replace(/\r$/, '')).join('\n');
        const options = { ...rules, severities: wanted as RuleOptions['severities'] };
        const found = await checkBoth(text, options, new QuickLineCheck(options));
        for (const { rule, severity: shown } of found) {
          assert.ok(wanted[rule] === undefined || wanted[rule] === shown, rule);
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('reports invalid UTF-8, on that line only', async () => {
    const good = Buffer.from(`${bare('"top_k":1')}\n`);
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]]) {
      writeFileSync(file, Buffer.concat([good, Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}\n'), good]));
      const { report } = await checkBatchFile(file, { limits: contractLimits, rules }, context);
      assert.deepEqual(
        report.problems.filter(({ severity }) => severity === 'error').map(({ rule, line, start }) => [rule, line, start]),
        [['not-utf8', 1, 6]],
      );
      assert.equal(report.invalidCount, 1);
      assert.equal(report.requestCount, 2);
    }
  });
});

function sorted(problems: readonly Problem[]): readonly string[] {
  return problems
    .map(problem =>
      JSON.stringify([
        problem.line,
        problem.start,
        problem.end,
        problem.rule,
        problem.severity,
        problem.path,
        problem.hint,
        problem.related?.length,
      ]),
    )
    .sort();
}
