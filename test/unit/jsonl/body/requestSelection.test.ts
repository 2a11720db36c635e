import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom, type Random } from '../../../../src/jsonl/arranging/random';
import { emitRequestBody } from '../../../../src/jsonl/body/emitRequestBody';
import { cutRequests, selectRequests } from '../../../../src/jsonl/body/requestSelection';
import { type CheckedBatchFile, checkBatchFile } from '../../../../src/jsonl/checking/batchFile';
import { SourceChangedError } from '../../../../src/jsonl/files/fileState';
import type { JobContext } from '../../../../src/jsonl/files/jobContext';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { runs } from '../../../helpers/runs';

const limits = { maxRequests: 100_000, maxBytes: 1_000_000_000 };

/** A line of a file. `value` is the item in the body, or `undefined` for a line without a request. */
interface Made {
  readonly text: string;
  readonly value: string | undefined;
  readonly id: string;
  readonly model: string;
}

function makeLine(random: Random, line: number): Made {
  const model = `model-${random(3)}`;
  const content = 'é€😀x'.slice(0, random(5)).repeat(random(60));
  const params = `{"model":"${model}","max_tokens":1,"messages":[{"role":"user","content":${JSON.stringify(`a${content.toWellFormed()}`)}}]}`;
  const space = ['', ' ', '  ', '\t'][random(4)] ?? '';
  const end = ['', '', '\r', ' '][random(4)] ?? '';
  switch (random(5)) {
    case 0:
      return { text: space, value: undefined, id: '', model };
    case 1: {
      const id = `line-${line + 1}`;
      return { text: `${space}${params}${end}`, value: `{"custom_id":"${id}","params":${params}}`, id, model };
    }
    default: {
      const id = `id_${line}`;
      const value = `{"custom_id":"${id}",${space}"params":${params}}`;
      return { text: `${space}${value}${end}`, value, id, model };
    }
  }
}

describe('jsonl/body/requestSelection', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'request-selection-'));
  const file = path.join(folder, 'requests.jsonl');
  const linesPath = path.join(folder, 'lines.tsv');
  after(() => rmSync(folder, { recursive: true }));

  let sent: Buffer[] = [];
  const context = (slotBytes = 64): JobContext => {
    const slot = new Uint8Array(slotBytes);
    return {
      signal: new AbortController().signal,
      throwIfAborted: () => {},
      progress: () => {},
      slots: { next: () => slot, emit: length => sent.push(Buffer.from(slot.subarray(0, length))) },
    };
  };

  async function check(lines: readonly Made[]): Promise<CheckedBatchFile> {
    writeFileSync(file, lines.map(({ text }) => `${text}\n`).join(''));
    return await checkBatchFile(file, { limits, rules: contractRules() }, context());
  }

  async function emit({ report, plan }: CheckedBatchFile, lines: Uint32Array, isPlanGiven: boolean, slotBytes: number): Promise<string> {
    sent = [];
    const selected = selectRequests(plan, lines);
    const source = { path: file, report, linesPath, selected };
    await emitRequestBody({ source, plan: isPlanGiven ? plan : undefined }, context(slotBytes));
    const body = Buffer.concat(sent);
    assert.equal(body.length, selected.bodyBytes);
    return body.toString();
  }

  it('builds the body, the line map and the models of any selection as by hand', async () => {
    const seed = process.env.TEST_SEED ?? String(Date.now());
    const random = createRandom(seed);
    for (let round = 0; round < runs(60, 20); round++) {
      const lines = Array.from({ length: 1 + random(40) }, (_, line) => makeLine(random, line));
      const checked = await check(lines);
      const share = 1 + random(10);
      const chosen = lines.flatMap(({ value }, line) => (value !== undefined && random(10) < share ? [line] : []));
      const body = await emit(checked, Uint32Array.from(chosen), random(2) === 0, 1 + random(300));
      const selected = chosen.map(line => lines[line] as Made);
      const context = `seed ${seed}, round ${round}`;
      assert.equal(body, `{"requests":[${selected.map(({ value }) => value).join(',')}]}`, context);
      assert.equal(readFileSync(linesPath, 'utf8'), chosen.map((line, at) => `${line}\t${selected[at]?.id}\n`).join(''), context);
      const counts = new Map<string, number>();
      for (const { model } of selected) {
        counts.set(model, (counts.get(model) ?? 0) + 1);
      }
      const { models } = selectRequests(checked.plan, Uint32Array.from(chosen));
      assert.deepEqual(new Map(models), counts, context);
    }
  });

  it('cuts into parts that respect the limits, are as full as possible, and cover the file in order', async () => {
    const seed = process.env.TEST_SEED ?? String(Date.now());
    const random = createRandom(`${seed} parts`);
    for (let round = 0; round < runs(60, 20); round++) {
      const lines = Array.from({ length: 1 + random(60) }, (_, line) => makeLine(random, line));
      const { plan } = await check(lines);
      const some = random(2) === 0 ? plan.lines.filter(() => random(3) > 0) : undefined;
      const wanted = some ?? plan.lines;
      const single = Array.from(wanted, line => selectRequests(plan, Uint32Array.of(line)).bodyBytes);
      const maxBytes = Math.max(0, ...single) + random(2000);
      const maxRequests = 1 + random(20);
      const parts = cutRequests(plan, { maxRequests, maxBytes }, some);
      const context = `seed ${seed}, round ${round}`;
      assert.deepEqual(
        parts.flatMap(part => [...part.lines]),
        [...wanted],
        context,
      );
      parts.forEach((part, at) => {
        assert.ok(part.lines.length <= maxRequests && part.bodyBytes <= maxBytes && part.lines.length > 0, context);
        const next = parts[at + 1]?.lines[0];
        if (next !== undefined && part.lines.length < maxRequests) {
          assert.ok(selectRequests(plan, Uint32Array.of(...part.lines, next)).bodyBytes > maxBytes, context);
        }
      });
    }
  });

  it('rejects a line without a request, a duplicate one, and a request over the limits', async () => {
    const params = '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"}]}';
    const { plan } = await check([
      { text: params, value: params, id: '', model: 'm' },
      { text: '', value: undefined, id: '', model: '' },
    ]);
    assert.throws(() => selectRequests(plan, Uint32Array.of(1)), /line 2/);
    assert.throws(() => selectRequests(plan, Uint32Array.of(7)), /line 8/);
    assert.throws(() => selectRequests(plan, Uint32Array.of(0, 0)), /line 1/);
    assert.throws(() => cutRequests(plan, { maxRequests: 10, maxBytes: 20 }), /line 1/);
  });

  it('never emits the last byte if any line of the file changed, even an unselected one', async () => {
    const lines = Array.from({ length: 5 }, (_, line) => ({
      ...makeLine(createRandom('whole'), line),
      text: `{"custom_id":"r${line}","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"}]}}`,
    }));
    const checked = await check(lines);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"r4"', '"x4"'));
    for (const isPlanGiven of [true, false]) {
      sent = [];
      await assert.rejects(emit(checked, Uint32Array.of(0, 2), isPlanGiven, 64), SourceChangedError);
      assert.ok(Buffer.concat(sent).length < selectRequests(checked.plan, Uint32Array.of(0, 2)).bodyBytes);
    }
  });
});
