import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { JobContext } from '../../../../src/jsonl/files/jobContext';
import { rewriteFile } from '../../../../src/jsonl/fixes/rewriteFile';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { quiet, TestFiles } from '../arranging/requestFiles';

const noSlot = () => assert.fail('emits nothing');
const context: JobContext = { ...quiet, signal: new AbortController().signal, slots: { next: noSlot, emit: noSlot } };

describe('jsonl/fixes/fieldMover', () => {
  const files = new TestFiles();
  const rules = contractRules('2026-01-01');

  async function move(text: string) {
    const source = files.write('in.jsonl', text);
    const { movedFields, changedLines } = await rewriteFile(
      { path: source, outPath: files.at('out.jsonl'), work: { type: 'moveFields' }, rules },
      context,
    );
    return { moved: movedFields, changedLines, left: files.read('out.jsonl') };
  }

  it("moves the user's fields by ID, unchanged, and leaves the requests without them", async () => {
    const fixture = readFileSync('test/fixtures/requests/17-own-fields.requests.jsonl', 'utf8');
    const { moved, left, changedLines } = await move(fixture);
    assert.equal(changedLines, 3);
    assert.equal(
      moved,
      [1, 2, 3]
        .map(n => `{"custom_id":"o-${n}","product_id":"sku-${n}","images":["a","b"],"metadata":{"run":"may","row":${n}}}\n`)
        .join(''),
    );
    assert.equal(left, fixture.replaceAll(/"product_id".*?\},(?="params")/g, ''));
  });

  it('keeps typos, fields that belong into the params, duplicates, and fields of requests without an ID', async () => {
    const params = '"params":{"model":"m","max_tokens":1,"messages":[]}';
    const lines = [
      `{"custom_id":"a",${params},"temperature":1}`,
      `{"customId":"a",${params},"row":1}`,
      `{"custom_id":"a",${params},"row":1,"row":2}`,
      `{"custom_id":"","row":1,${params}}`,
      '{"custom_id":"a","row":1,"messages":[]}',
    ];
    const text = `${lines.join('\n')}\n`;
    assert.deepEqual(await move(text), { moved: '', changedLines: 0, left: text });
  });
});
