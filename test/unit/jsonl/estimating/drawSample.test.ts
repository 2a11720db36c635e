import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drawSample, type SampledStratum } from '../../../../src/jsonl/estimating/drawSample';

const quiet = { throwIfAborted: () => {}, progress: () => {}, signal: undefined };
const paramsOf = (length: number, more: object = {}) => ({
  model: 'm',
  max_tokens: 5,
  messages: [{ role: 'user', content: 'word '.repeat(length) }],
  ...more,
});

describe('jsonl/estimating/drawSample', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'draw-'));
  const file = path.join(folder, 'requests.jsonl');
  after(() => rmSync(folder, { recursive: true }));

  const draw = (lines: readonly object[], { count = 64, chosen }: { readonly count?: number; readonly chosen?: Uint32Array } = {}) => {
    writeFileSync(file, `\ufeff${lines.map(line => `${JSON.stringify(line)}\n`).join('\n')}`);
    return drawSample({ path: file, lines: chosen, count, seed: 's' }, quiet);
  };
  const countOf = (strata: readonly SampledStratum[]) => strata.reduce((sum, { samples }) => sum + samples.length, 0);

  it('creates valid count parameters from a request', () => {
    const all = {
      ...{ system: 's', tools: [], tool_choice: { type: 'auto' }, thinking: { type: 'disabled' }, output_config: {}, cache_control: null },
      ...{ mcp_servers: [], context_management: null },
    };
    const left = { max_tokens: 5, temperature: 1, stream: false, metadata: {}, stop_sequences: [], service_tier: 'auto' };
    const [{ samples } = assert.fail()] = draw([{ custom_id: 'a', params: { ...paramsOf(1), ...all, ...left } }]);
    assert.deepEqual(JSON.parse(samples[0]?.body ?? ''), { model: 'm', messages: paramsOf(1).messages, ...all });
    const [bare = assert.fail()] = draw([paramsOf(3)]);
    assert.deepEqual(JSON.parse(bare.samples[0]?.body ?? ''), { model: 'm', messages: paramsOf(3).messages });
  });

  it('draws from each model and size class, more from those with more text, always the same', () => {
    const lines = Array.from({ length: 1000 }, (_, at) => paramsOf(1 + (at % 100), { model: at % 10 === 0 ? 'rare' : 'often' }));
    const strata = draw(lines);
    assert.deepEqual(
      strata.map(({ model }) => model),
      [...Array(4).fill('often'), ...Array(4).fill('rare')],
    );
    assert.ok(countOf(strata) >= 60 && countOf(strata) <= 72);
    assert.ok(strata.every(({ samples }) => samples.length >= 2));
    assert.equal(
      strata.reduce((sum, { requests }) => sum + requests, 0),
      1000,
    );
    const [small, , , large] = strata;
    assert.ok(small !== undefined && large !== undefined && large.requests < small.requests);
    assert.ok(Math.abs(large.text - small.text) < 0.05 * small.text);
    assert.deepEqual(draw(lines), strata);
  });

  it('draws all of a few, and only from chosen lines', () => {
    assert.equal(countOf(draw(Array.from({ length: 64 }, () => paramsOf(2)))), 64);
    // Every second line is blank.
    const strata = draw([paramsOf(1), paramsOf(20), paramsOf(300)], { chosen: Uint32Array.of(2) });
    assert.deepEqual(
      strata.flatMap(({ samples }) => samples.map(({ body }) => JSON.parse(body).messages[0].content.length)),
      [100],
    );
  });

  it('groups the models with the least text', () => {
    const strata = draw(Array.from({ length: 200 }, (_, at) => paramsOf(1 + (at % 20), { model: `m${at % 20}` })));
    assert.equal(strata.filter(({ model }) => model === undefined).length, 1);
    assert.equal(new Set(strata.map(({ model }) => model)).size, 17);
    assert.deepEqual(draw([]), []);
  });
});
