import assert from 'node:assert/strict';
import { mayBeFixed } from '../../../../src/jsonl/fixes/mayBeFixed';

const log = '{"level":"info","msg":"called","model":"m","ts":1}';

describe('jsonl/fixes/mayBeFixed', () => {
  it('accepts requests and malformed ones', () => {
    for (const line of [
      '{"custom_id":"a","params":{}}',
      '{"id":"a","params":{}}',
      '{"params":{},"zzz":1}',
      '{"custom_id":"a","model":"m","messages":[]}',
      "{'custom_id':'a','params':{'model':'m',},}",
      '{"model":"m","messages":[]}',
      '{"model":"m","max_tokens":1}',
      '\ufeff{"custom_id":"a","params":{}}',
    ]) {
      assert.ok(mayBeFixed([line]), line);
    }
    assert.ok(mayBeFixed(['', log, '{"custom_id":"a","params":{}}']));
    assert.ok(mayBeFixed([]));
    assert.ok(mayBeFixed(['{"custom_id": oh']));
  });

  it('rejects logs, answers and formats of other services', () => {
    for (const line of [
      log,
      '{"model":"m","ts":1}',
      '{"jsonrpc":"2.0","method":"x","params":{}}',
      '{"custom_id":"a","result":{"type":"succeeded"}}',
      '{"custom_id":"a","method":"POST","url":"/v1/x","body":{}}',
      '{"id":"x","model":"m","messages":[],"usage":{}}',
      '[1,2]',
    ]) {
      assert.ok(!mayBeFixed([line, line]), line);
    }
  });
});
