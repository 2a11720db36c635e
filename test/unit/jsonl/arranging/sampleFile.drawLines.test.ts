import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom } from '../../../../src/jsonl/arranging/random';
import { drawLines } from '../../../../src/jsonl/arranging/sampleFile';
import { runs } from '../../../helpers/runs';

const quiet = { throwIfAborted: () => {}, progress: () => {} };

describe('jsonl/arranging/sampleFile', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'draw-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const request = (id: number, model: string, length: number) =>
    JSON.stringify({ custom_id: `r${id}`, params: { model, max_tokens: 1, messages: [{ role: 'user', content: 'x'.repeat(length) }] } });

  async function draw(text: string, count: number, seed = 's') {
    const file = path.join(folder, 'a.jsonl');
    writeFileSync(file, text);
    return await drawLines({ path: file, seed, count }, quiet);
  }

  it('draws the requested number of different requests, of every model and tenth of the lengths if possible', async () => {
    for (let round = 0; round < runs(60, 20); round++) {
      const random = createRandom(`draw ${round}`);
      const models = 1 + random(4);
      const lines = Array.from({ length: 2 + random(300) }, (_, id) =>
        random(12) === 0 ? '' : request(id, `m${Math.min(random(models), random(models))}`, random(400)),
      );
      const text = `${lines.join('\n')}\n`;
      const requests = lines.flatMap((line, index) =>
        line === '' ? [] : [{ index, line, model: JSON.parse(line).params.model as string }],
      );
      const count = 1 + random(60);
      const { lines: drawn, total, sha256 } = await draw(text, count, `${round}`);
      const about = `round ${round}`;
      assert.equal(total, requests.length, about);
      assert.equal(drawn.length, Math.min(count, total), about);
      assert.deepEqual(
        [...drawn],
        [...new Set(drawn)].sort((a, b) => a - b),
        about,
      );
      assert.equal(sha256, createHash('sha256').update(text).digest('hex'), about);
      const chosen = requests.filter(({ index }) => drawn.includes(index));
      assert.equal(chosen.length, drawn.length, about);
      const names = new Set(requests.map(({ model }) => model));
      if (count >= names.size) {
        assert.deepEqual(new Set(chosen.map(({ model }) => model)), names, about);
      }
      for (const name of names) {
        const all = requests.filter(({ model }) => model === name).sort((a, b) => a.line.length - b.line.length || a.index - b.index);
        const groups = Math.min(10, Math.max(1, Math.floor(Math.min(count, total) / names.size)), all.length);
        for (let group = 0; count >= names.size * 10 && group < groups; group++) {
          const part = all.slice(Math.floor((all.length * group) / groups), Math.floor((all.length * (group + 1)) / groups));
          assert.ok(
            part.some(({ index }) => drawn.includes(index)),
            `${about}: tenth ${group} of ${name}`,
          );
        }
      }
    }
  });

  it('draws the same for the same seed', async () => {
    const text = Array.from({ length: 200 }, (_, id) => `${request(id, 'm', id % 7)}\n`).join('');
    assert.deepEqual((await draw(text, 20)).lines, (await draw(text, 20)).lines);
  });
});
