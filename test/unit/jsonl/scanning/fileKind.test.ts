import assert from 'node:assert/strict';
import { fileKindOf, looksLikeBatch, needsConversion } from '../../../../src/jsonl/scanning/fileKind';

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

const yes: Record<string, readonly string[]> = {
  'whole requests': ['{"custom_id":"a","params":{"model":"m","result":1}}'],
  'fields in another order, behind a byte order mark and blank lines': ['\ufeff', ' ', '{"params":{"id":1},"custom_id":"a"}\r'],
  'requests after an object that is being typed': ['{}', '{"custom_id":"a","params":{}}'],
  'bare params': ['{"model":"m","max_tokens":1,"messages":[]}'],
  'bare params without max_tokens': ['{"messages":[{"role":"user"}],"model":"m"}'],
  'a first line that was cut': ['{"custom_id":"a","params":{"messages":[{"role":"us'],
  'a request that is being typed': ['{"custom_id":"a","params":}'],
};
const no: Record<string, readonly string[]> = {
  nothing: [],
  'blank lines': ['', '  '],
  'a log': ['{"level":"info","msg":"custom_id params","timestamp":1}'],
  'plain text': ['2026-01-01 messages model'],
  'a results file': ['{"custom_id":"a","result":{"type":"succeeded"}}'],
  'joined results with their requests': ['{"custom_id":"a","params":{},"result":{}}'],
  "another service's batch": ['{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[]}}'],
  "another service's answers": ['{"id":"b","custom_id":"a","response":{}}'],
  'a chat data set': ['{"messages":[{"role":"user","content":"x"}]}'],
  'a log of calls': ['{"id":"1","model":"m","messages":[],"usage":{}}'],
  'fields that are only inside others': ['{"row":{"custom_id":"a","params":{}}}'],
  'a list': ['[{"custom_id":"a","params":{}}]'],
  'an embedding data set': ['{"prompt":"x","completion":"y"}'],
};

describe('jsonl/scanning/fileKind', () => {
  for (const [what, lines] of Object.entries(yes)) {
    it(`accepts ${what}`, () => assert.equal(looksLikeBatch(lines), true));
  }
  for (const [what, lines] of Object.entries(no)) {
    it(`rejects ${what}`, () => assert.equal(looksLikeBatch(lines), false));
  }
  it('reads a long line in linear time', () => {
    assert.equal(looksLikeBatch([`{"custom_id":"a","params":{"x":"${'\\"'.repeat(500_000)}`]), true);
    for (const hostile of ['"\\\u2028', '\\\u2029"', '"\\', '"', '{"', '\\']) {
      assert.equal(looksLikeBatch([`{"custom_id":"a",${hostile.repeat(500_000)}`]), false, JSON.stringify(hostile));
    }
  });
});

const foreign: Record<string, readonly string[]> = {
  "another service's batch lines": ['', '{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"messages":['],
  'requests in one document': ['\ufeff{"requests": [{"custom_id":"a"}]}'],
  'a pretty-printed document': ['{', '  "requests": ['],
  'an array': ['[{"custom_id":"a"}]'],
  'chats without a model': ['{"messages":[{"role":"user","content":"x"}],"source":"set"}'],
};

describe('jsonl/scanning/fileKind needsConversion', () => {
  for (const [what, lines] of Object.entries(foreign)) {
    it(`accepts ${what}`, () => assert.equal(needsConversion(lines), true));
  }

  it('rejects request files, and files without requests', () => {
    const others = [['{"level":"info","body":"x"}'], ['{"custom_id":"a","result":{}}'], ['words'], [], ['{"messages":[],"usage":{}}']];
    for (const lines of [...Object.values(yes), ...others]) {
      assert.equal(needsConversion(lines), false, lines.join('|'));
    }
  });
});
