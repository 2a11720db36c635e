import assert from 'node:assert/strict';
import {
  type ComparedPair,
  changeWords,
  modelWords,
  toDiffTexts,
  toSummaryPage,
} from '../../../../../src/features/results/comparing/comparePresentation';
import { toMark } from '../../../../../src/jsonl/comparing/expectationMarks';
import { judgeMeasures } from '../../../../../src/jsonl/comparing/verdict/judgeMeasures';
import type { ResultEntry } from '../../../../../src/jsonl/results/resultsReport';
import { used } from '../../batches/fileRuns/used';

const translate = (message: string, ...args: (string | number)[]) =>
  message.replace(/\{(\d)\}/g, (_, place) => String(args[Number(place)]));

const entry = (more: Partial<ResultEntry>): ResultEntry => ({
  ...{ row: 0, customId: 'a', line: 0, status: 'succeeded', stopReason: 'end_turn', errorType: undefined },
  ...{ inputTokens: 1, outputTokens: 1, offset: 0, length: 1, ...more },
});

const line = (result: object) => JSON.stringify({ custom_id: 'a', line: 1, result });
const said = (text: string) => line({ type: 'succeeded', message: { content: [{ type: 'text', text }] } });

describe('features/results/comparing/comparePresentation', () => {
  it('tells from what to what a pair went', () => {
    const broken = entry({ status: 'failed', stopReason: undefined, errorType: 'api_error' });
    const words = (before: ResultEntry | undefined, after: ResultEntry | undefined) =>
      changeWords({ kind: 'changed', before, after, marks: [0, 0] }, translate);
    assert.equal(words(entry({}), broken), 'succeeded → failed (api_error)');
    assert.equal(words(entry({ status: 'cut_short', stopReason: 'max_tokens' }), entry({})), 'cut short (max_tokens) → succeeded');
    assert.equal(words(entry({ status: 'refused', stopReason: 'refusal' }), undefined), 'refused (refusal) → no answer');
    assert.equal(words(entry({}), entry({})), 'succeeded, another answer');
    const failed = toMark(['equals', 'contains']);
    assert.equal(
      changeWords({ kind: 'regressed', before: entry({}), after: entry({}), marks: [toMark([]), failed] }, translate),
      'succeeded → succeeded, fails contains, equals',
    );
    assert.equal(modelWords(['m', 'n', 'o']), 'm +2');
    assert.equal(modelWords([]), '');
  });

  it('lays JSON out with its keys in order, and leaves other texts as they are', () => {
    assert.deepEqual(toDiffTexts(said('{"b":1,"a":[{"d":1,"c":2}]}'), said('{"a":[]}')), {
      before: '{\n  "a": [\n    {\n      "c": 2,\n      "d": 1\n    }\n  ],\n  "b": 1\n}\n',
      after: '{\n  "a": []\n}\n',
      ending: 'json',
    });
    assert.deepEqual(toDiffTexts(said('{"a":1}'), said('no JSON')), { before: '{"a":1}', after: 'no JSON', ending: 'txt' });
    const error = line({ type: 'errored', error: { type: 'error', error: { type: 'api_error', message: 'broke' } } });
    assert.deepEqual(toDiffTexts(undefined, error), { before: '', after: 'api_error: broke', ending: 'txt' });
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    assert.deepEqual(toDiffTexts(said(deep), said('[]')), { before: deep, after: '[]', ending: 'txt' });
    assert.equal(toDiffTexts(said('{"__proto__":{"x":1}}'), undefined).before, '{\n  "__proto__": {\n    "x": 1\n  }\n}\n');
  });

  it('shows no secret in a diff', () => {
    const used = (token: string) =>
      line({ type: 'succeeded', message: { content: [{ type: 'tool_use', name: 'login', input: { api_key: token } }] } });
    const { before, after } = toDiffTexts(used('sk-one'), line({ type: 'errored', error: { type: 'x', access_token: 'sk-two' } }));
    assert.match(before, /hidden/);
    assert.match(after, /hidden/);
    assert.doesNotMatch(before + after, /sk-/);
  });

  it('sums a comparison up, the worst first, and nothing of a name is markup', () => {
    const side = (name: string, models: string[]) => ({ name, title: name, startedAt: '2026-01-01T00:00:00Z', connection: 'Lab', models });
    const pair: ComparedPair = {
      kind: 'regressed',
      before: entry({ customId: '*x*' }),
      after: entry({ status: 'expired', stopReason: undefined }),
      marks: [0, 0],
    };
    const page = toSummaryPage(
      [side('a|b.jsonl', ['m-1']), side('a|b.jsonl', ['m-2'])],
      {
        pairedBy: 'request',
        counts: { regressed: 30, lost: 0, changed: 0, fixed: 0, added: 0, same: 5 },
        ...{ kinds: new Uint8Array(), beforeRows: new Int32Array(), afterRows: new Int32Array() },
        ...{ beforeMarks: new Uint8Array(), afterMarks: new Uint8Array(), expectationProblems: 0 },
        measures: judgeMeasures(
          [{ about: 'answered', compared: 35, left: [], values: [1, 0], table: { bothPass: 5, worse: 30, better: 0, bothFail: 0 } }],
          () => undefined,
        ),
        usage: [
          [used('m-1', { inputTokens: 100, outputTokens: 200 })],
          [used('m-2', { inputTokens: 100, outputTokens: 150, cacheReadTokens: 40 })],
        ],
      },
      () => [pair],
      { translate, locale: 'en', cost: ['$2.00', '$2.50 (+25 %)'] },
    );
    assert.match(page, /^# Two runs of a\\\|b\\\.jsonl\n/);
    assert.match(
      page,
      /\n\n\*\*B gives 85\\\.7 points fewer whole answers .*p \\< 0\\\.001: worse\\\.\*\* All 35 requests are compared\\\.\n/,
    );
    assert.match(page, /\| Model \| m\\-1 \| m\\-2 \|/);
    assert.match(page, /\| Output tokens of requests in both \| 200 \| 150 \\\(−25 %\\\) \|/);
    assert.match(page, /\| Tokens read from the cache \| 0 \| 40 \|/);
    assert.doesNotMatch(page, /written to the cache/);
    assert.match(page, /\n\| Cost of requests in both \| .{0,2}2.{1,2}00 \| .{0,2}2.{1,2}50 .*25 %.*\|\n/);
    assert.match(page, /No id is in both/);
    assert.match(page, /## Worse: 30\n\n- \*\*\\\*x\\\* \/ a\*\*: succeeded → expired\n- and 29 more\n/);
    assert.doesNotMatch(page, /## Changed/);
  });
});
