import assert from 'node:assert/strict';
import { fileKindOf } from '../../../../src/jsonl/scanning/fileKind';

const cases: readonly (readonly [what: string, kind: string | undefined, lines: readonly string[]])[] = [
  ['requests', 'requests', ['', '{"custom_id":"a","params":{"model":"m"}}']],
  ['requests whose first line was cut', 'requests', ['{"custom_id":"a","params":{"messages":[{"role":"us']],
  ['results as they are fetched', 'results', ['{"custom_id":"a","result":{"type":"succeeded"}}']],
  ['results joined with their requests, behind a byte order mark', 'results', ['\ufeff{"custom_id":"a","params":{},"result":{}}']],
  ["another service's batch lines", 'otherForm', ['{"custom_id":"a","method":"POST","url":"/v1/x","body":{}}']],
  ['one document with all requests', 'otherForm', ['[', '{"custom_id":"a"}']],
  ['rows', 'rows', ['{"name":"Ada","year":1815}']],
  ['expectations', undefined, ['{"custom_id":"a","contains":"x"}']],
  ["another service's answers", 'results', ['{"id":"b","custom_id":"a","response":{}}']],
  ["another service's failures", 'results', ['{"id":"b","custom_id":"a","response":null,"error":{}}']],
  ["another service's records", 'results', ['{"recordId":"a","modelInput":{},"modelOutput":{}}']],
  ['words', undefined, ['custom_id params']],
  ['an empty object', undefined, ['{}']],
  ['nothing', undefined, []],
];

describe('jsonl/scanning/fileKind', () => {
  for (const [what, kind, lines] of cases) {
    it(`classifies ${what} as ${kind ?? 'nothing of ours'}`, () => assert.equal(fileKindOf(lines), kind));
  }
});
