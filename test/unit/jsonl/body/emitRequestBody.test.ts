import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { emitRequestBody } from '../../../../src/jsonl/body/emitRequestBody';
import { selectRequests } from '../../../../src/jsonl/body/requestSelection';
import { type CheckedBatchFile, checkBatchFile } from '../../../../src/jsonl/checking/batchFile';
import type { RequestPlan } from '../../../../src/jsonl/checking/requestPlan';
import { fileStateOf, SourceChangedError } from '../../../../src/jsonl/files/fileState';
import type { JobContext } from '../../../../src/jsonl/files/jobContext';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';

const params = '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"é"}]}';
const request = (id: string) => `{"custom_id":"${id}","params":${params}}`;

describe('jsonl/body/emitRequestBody', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'request-body-'));
  const file = path.join(folder, 'requests.jsonl');
  const linesPath = path.join(folder, 'lines.tsv');
  after(() => rmSync(folder, { recursive: true }));

  let sent = '';
  const decoder = new TextDecoder();
  const slots = (bytes: number) => {
    const slot = new Uint8Array(bytes);
    return {
      next: () => slot.fill(0x3f),
      emit: (length: number) => {
        sent += decoder.decode(slot.subarray(0, length), { stream: true });
      },
    };
  };
  const context = (slotBytes: number): JobContext => ({
    signal: new AbortController().signal,
    throwIfAborted: () => {},
    progress: () => {},
    slots: slots(slotBytes),
  });
  const limits = { maxRequests: 100_000, maxBytes: 1_000_000_000 };

  async function check(content: string): Promise<CheckedBatchFile> {
    writeFileSync(file, content);
    return await checkBatchFile(file, { limits, rules: contractRules() }, context(64));
  }
  async function emit({ report }: CheckedBatchFile, plan: RequestPlan | undefined, slotBytes = 64): Promise<string> {
    sent = '';
    await emitRequestBody({ source: { path: file, report, linesPath }, plan }, context(slotBytes));
    return sent;
  }

  const mixed = `${request('a')}\n${request('b')}\r\n\n ${params}\n${params}\n${request('c')}\n${request('d')}\n\n`;
  const bare = (line: number) => `{"custom_id":"line-${line}","params":${params}}`;
  const expected = `{"requests":[${[request('a'), request('b'), bare(4), bare(5), request('c'), request('d')].join(',')}]}`;

  for (const slotBytes of [1, 7, 64, 10_000]) {
    it(`cuts a body into chunks of ${slotBytes} bytes at any position`, async () => {
      const checked = await check(mixed);
      assert.equal(await emit(checked, checked.plan, slotBytes), expected);
      assert.equal(readFileSync(linesPath, 'utf8'), '0\ta\n1\tb\n3\tline-4\n4\tline-5\n5\tc\n6\td\n');
    });
  }

  it('joins requests across the borders of reads', async () => {
    const lines = Array.from({ length: 12_000 }, (_, index) => request(`id-${index}`));
    const checked = await check(lines.join('\n'));
    assert.ok((await emit(checked, checked.plan, 100_000)) === `{"requests":[${lines.join(',')}]}`);
  });

  for (const slotBytes of [1, 13, 64, 100_000]) {
    it(`emits adjacent requests in order, in chunks of ${slotBytes} bytes`, async () => {
      const lines = Array.from({ length: slotBytes < 1000 ? 20 : 12_000 }, (_, index) => request(`id-${index}`));
      for (const [before, after] of [
        ['', '\n'],
        ['\ufeff', ''],
        ['\n \n', '\r\n\n'],
      ] as const) {
        const checked = await check(`${before}${lines.join('\n')}${after}`);
        assert.ok((await emit(checked, checked.plan, slotBytes)) === `{"requests":[${lines.join(',')}]}`);
      }
    });
  }

  it('emits adjacent requests from the middle of a file, and verifies all of it', async () => {
    const lines = Array.from({ length: 12_000 }, (_, index) => request(`id-${index}`));
    const checked = await check(`${lines.join('\n')}\n`);
    const chosen = selectRequests(
      checked.plan,
      Uint32Array.from({ length: 5000 }, (_, index) => 3000 + index),
    );
    const emitChosen = async () => {
      sent = '';
      const source = { path: file, report: checked.report, linesPath, selected: chosen };
      await emitRequestBody({ source, plan: checked.plan }, context(100_000));
    };
    await emitChosen();
    assert.ok(sent === `{"requests":[${lines.slice(3000, 8000).join(',')}]}`);
    writeFileSync(file, `${lines.join('\n').replace('id-11999', 'id-x1999')}\n`);
    await assert.rejects(emitChosen(), SourceChangedError);
    assert.ok(Buffer.byteLength(sent) < chosen.bodyBytes);
  });

  it('reads the file once more without a plan', async () => {
    assert.equal(await emit(await check(mixed), undefined), expected);
  });

  it('emits nothing if a file without a plan was replaced', async () => {
    const checked = await check(mixed);
    writeFileSync(file, mixed.replace('"a"', '"x"'));
    await assert.rejects(emit(checked, undefined), SourceChangedError);
    assert.equal(sent, '');
  });

  it('accepts a file whose time changed but not its bytes', async () => {
    const checked = await check(mixed);
    utimesSync(file, 1, 1);
    assert.equal(await emit(checked, checked.plan), expected);
  });

  it('notices changed bytes even if the system reports no write', async () => {
    const checked = await check(mixed);
    writeFileSync(file, mixed.replace('"a"', '"x"'));
    const descriptor = openSync(file, 'r');
    const plan = { ...checked.plan, file: fileStateOf(descriptor) };
    closeSync(descriptor);
    await assert.rejects(emit(checked, plan), SourceChangedError);
    assert.ok(Buffer.byteLength(sent) < checked.report.bodyBytes);
  });

  it('notices that the file is written while it is sent', async () => {
    const checked = await check(mixed);
    sent = '';
    const { slots: plain, ...rest } = context(64);
    const touching = {
      ...plain,
      emit: (length: number) => {
        utimesSync(file, 2, 2);
        plain.emit(length);
      },
    };
    await assert.rejects(
      emitRequestBody({ source: { path: file, report: checked.report, linesPath }, plan: checked.plan }, { ...rest, slots: touching }),
      SourceChangedError,
    );
    assert.ok(Buffer.byteLength(sent) < checked.report.bodyBytes);
  });
});
