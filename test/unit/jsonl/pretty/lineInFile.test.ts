import assert from 'node:assert/strict';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { createJsonlJobs } from '../../../../src/jsonl/jobs/jobs';
import { findLine, writeLine } from '../../../../src/jsonl/pretty/lineInFile';
import { printOf } from '../../../../src/jsonl/pretty/lineSearch';
import { runs } from '../../../helpers/runs';

const quiet = { throwIfAborted: () => {}, progress: () => {} };
const request = (id: string, words = '') => `{"custom_id":"${id}", "params": {"words":"${words}"}}`;

describe('jsonl/pretty/lineInFile', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'line-in-file-'));
  const file = path.join(folder, 'requests.jsonl');
  after(() => rmSync(folder, { recursive: true }));

  const find = (line: number, text?: string, customId?: string) => findLine({ path: file, wanted: { line, text, customId } }, quiet);
  const write = (position: { line: number; text: string } | 'end', text: string) => writeLine({ path: file, position, text }, quiet);

  it('finds a line by number, text or ID, without its line break', () => {
    writeFileSync(file, `\ufeff${request('a')}\r\n\n${request('é')}\n${request('b')}`);
    assert.deepEqual(find(0), { line: 0, text: request('a') });
    assert.deepEqual(find(1), { line: 1, text: '' });
    assert.equal(find(4), undefined);
    assert.deepEqual(find(0, request('é')), { line: 2, text: request('é') });
    assert.deepEqual(find(0, 'gone', 'b'), { line: 3, text: request('b') });
    const wanted = { line: 0, print: printOf(request('é')) };
    assert.equal(findLine({ path: file, wanted }, quiet)?.line, 2);
    assert.deepEqual(find(-1, undefined, 'a'), { line: 0, text: request('a') });
  });

  it("returns no bytes that aren't text", () => {
    writeFileSync(file, Buffer.concat([Buffer.from('{}\n{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n')]));
    assert.throws(() => find(1), /Line 2 of .* is not UTF-8 from column 7 on/);
  });

  it('replaces one line and copies every other byte', async () => {
    const line = fc.string({ maxLength: 12 }).map(text => text.replace(/[\r\n]/g, ' '));
    const property = fc.asyncProperty(
      fc.array(fc.tuple(line, fc.constantFrom<string>('\n', '\r\n')), { minLength: 1, maxLength: 8 }),
      fc.nat(),
      line,
      fc.boolean(),
      fc.boolean(),
      async (parts, at, text, marked, ended) => {
        const lines = parts.map(([words, lineBreak], index) => ({ words: `${index}${words}`, lineBreak }));
        const last = lines.at(-1);
        if (last !== undefined && !ended) {
          last.lineBreak = '';
        }
        const index = at % lines.length;
        const whole = (replaced?: string) =>
          (marked ? '\ufeff' : '') +
          lines.map(({ words, lineBreak }, place) => (place === index ? (replaced ?? words) : words) + lineBreak).join('');
        writeFileSync(file, whole());
        assert.equal(await write({ line: 0, text: lines[index]?.words ?? '' }, text), index);
        assert.equal(readFileSync(file, 'utf8'), whole(text));
      },
    );
    await fc.assert(property, { numRuns: runs(40) });
    assert.deepEqual(readdirSync(folder), ['requests.jsonl']);
  });

  it("adds a line at the end with the file's line breaks", async () => {
    for (const [before, after, line] of [
      ['', 'new\n', 0],
      ['a\n', 'a\nnew\n', 1],
      ['a\r\nb\r\n', 'a\r\nb\r\nnew\r\n', 2],
      ['a', 'a\nnew', 1],
    ] as const) {
      writeFileSync(file, before);
      assert.equal(await write('end', 'new'), line);
      assert.equal(readFileSync(file, 'utf8'), after);
    }
  });

  it('writes nothing if no line matches, even one with its ID', async () => {
    const text = `${request('a', 'newer')}\n`;
    writeFileSync(file, text);
    await assert.rejects(write({ line: 0, text: request('a') }, request('a', 'mine')), { name: 'SourceChangedError' });
    assert.equal(readFileSync(file, 'utf8'), text);
    assert.deepEqual(readdirSync(folder), ['requests.jsonl']);
  });

  it('keeps permissions, and a link to the file', async () => {
    const link = path.join(folder, 'link.jsonl');
    writeFileSync(file, 'a\nb\n', { mode: 0o640 });
    symlinkSync(file, link);
    const mode = statSync(file).mode;
    await writeLine({ path: link, position: { line: 1, text: 'b' }, text: 'c' }, quiet);
    assert.equal(readFileSync(file, 'utf8'), 'a\nc\n');
    assert.equal(statSync(file).mode, mode);
    assert.ok(lstatSync(link).isSymbolicLink());
    rmSync(link);
  });

  it('runs as a job on a file of several chunks, and reports progress to the end', async () => {
    const jobs = createJsonlJobs({ threadFile: path.join(process.env.TEST_BUILD ?? '', 'jsonlThread.js') });
    const lines = Array.from({ length: 30_000 }, (_, line) => request(`id-${line}`, 'word '.repeat(20)));
    writeFileSync(file, lines.join('\n'));
    const found = await jobs.run('findLine', { path: file, wanted: { line: -1, customId: 'id-29998' } });
    assert.deepEqual(found, { line: 29_998, text: lines[29_998] });
    const seen: number[] = [];
    const onProgress = ({ doneBytes, totalBytes }: { doneBytes: number; totalBytes: number }) => seen.push(doneBytes / totalBytes);
    assert.equal(
      await jobs.run('writeLine', { path: file, position: { line: 3, text: lines[15_000] ?? '' }, text: 'mine' }, { onProgress }),
      15_000,
    );
    assert.equal(readFileSync(file, 'utf8'), lines.with(15_000, 'mine').join('\n'));
    assert.ok(seen.every((share, index) => share <= 1 && share >= (seen[index - 1] ?? 0)));
    await assert.rejects(jobs.run('writeLine', { path: file, position: { line: 0, text: 'nowhere' }, text: '' }), {
      name: 'SourceChangedError',
    });
  });
});
