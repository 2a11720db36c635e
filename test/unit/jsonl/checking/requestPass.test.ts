import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { passOver } from '../../../../src/jsonl/checking/requestPass';
import { hashFile } from '../../../../src/jsonl/files/fileHash';
import { SourceChangedError } from '../../../../src/jsonl/files/fileState';
import type { JobContext } from '../../../../src/jsonl/files/jobContext';

const padding = 'x'.repeat(2 * 1024 * 1024);
const line = (id: number) =>
  `{"custom_id":"id-${id}","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"${padding}"}]}}\n`;

describe('jsonl/checking/requestPass', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'request-file-'));
  const file = path.join(folder, 'requests.jsonl');
  const content = Array.from({ length: 17 }, (_, id) => line(id)).join('');
  beforeEach(() => writeFileSync(file, content));
  after(() => rmSync(folder, { recursive: true }));

  const signal = new AbortController().signal;
  const alone: JobContext = {
    signal,
    throwIfAborted: () => {},
    progress: () => {},
    slots: { next: () => new Uint8Array(0), emit: () => {} },
  };
  /** Returns a job context that computes hashes in this thread instead of a second one. */
  function besideWith(beforeHash: () => void): JobContext & { readonly asked: string[] } {
    const asked: string[] = [];
    const hashBeside = async (hashed: string) => {
      asked.push(hashed);
      await new Promise(setImmediate);
      beforeHash();
      return hashFile(hashed, alone);
    };
    return { ...alone, asked, hashBeside };
  }

  it('returns the same with a parallel hash as with its own', async () => {
    const lines: number[] = [];
    const beside = besideWith(() => {});
    const one = await passOver(file, beside, visited => {
      lines.push(visited.line);
      return undefined;
    });
    assert.deepEqual(beside.asked, [file]);
    assert.equal(one.sha256, createHash('sha256').update(content).digest('hex'));
    assert.equal(one.crc32, crc32(content));
    assert.equal(lines.length, 17);
    assert.deepEqual(await passOver(file, alone, () => {}), one);
  });

  it('hashes small files itself', async () => {
    writeFileSync(file, line(0));
    const beside = besideWith(() => {});
    const { sha256 } = await passOver(file, beside, () => {});
    assert.deepEqual(beside.asked, []);
    assert.equal(sha256, createHash('sha256').update(line(0)).digest('hex'));
  });

  it('rejects a file that was written between the two reads', async () => {
    const beside = besideWith(() => appendFileSync(file, '\n'));
    await assert.rejects(
      passOver(file, beside, () => {}),
      SourceChangedError,
    );
  });

  it("rejects with the parallel task's error", async () => {
    const beside = besideWith(() => rmSync(file));
    await assert.rejects(
      passOver(file, beside, () => {}),
      { code: 'ENOENT' },
    );
  });

  it('rejects a line over the limit, in one piece or several', async () => {
    const most = 1_500_000;
    for (const length of [most - 1, most, most + 1, most + 400_000, 2 * most - 1, 2 * most + 1, 3 * most]) {
      const short = '{"custom_id":"a"}';
      writeFileSync(file, `${short}\n${'x'.repeat(length)}\n${short}`);
      const tooLong: boolean[] = [];
      const offsets: number[] = [];
      await passOver(
        file,
        alone,
        line => {
          tooLong.push(line.isTooLong);
          offsets.push(line.fileOffset + line.start);
        },
        undefined,
        most,
      );
      assert.deepEqual(tooLong, [false, length > most, false], String(length));
      assert.deepEqual(offsets, [0, short.length + 1, short.length + length + 2], String(length));
    }
  });
});
