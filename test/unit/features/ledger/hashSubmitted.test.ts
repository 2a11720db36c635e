import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { hashNewest, hashSubmitted } from '../../../../src/features/ledger/hashSubmitted';
import type { Submission } from '../../../../src/features/ledger/submission';
import type { JsonlJobs } from '../../../../src/jsonl/jobs/jobs';
import { useFolder } from '../../../helpers/useFolder';

describe('features/ledger/hashSubmitted', () => {
  const root = useFolder();
  let hashed: string[];
  let fail: Error | undefined;
  const warnings: string[] = [];

  beforeEach(() => {
    hashed = [];
    fail = undefined;
    warnings.length = 0;
  });

  const run = (async (_name: string, input: { readonly path: string; readonly hashesPath: string }) => {
    if (fail !== undefined) {
      throw fail;
    }
    hashed.push(path.relative(root(), input.path));
    await writeFile(input.hashesPath, '');
  }) as unknown as JsonlJobs['run'];

  const deps = (all: readonly Submission[] = []) => ({
    registry: { all: () => all, folder: (id: string) => root(id) },
    jobs: { run },
    log: { warn: (message: string) => void warnings.push(message) },
  });

  async function submission(id: string, source: string, more: Partial<Submission> = {}): Promise<Submission> {
    await mkdir(root(id));
    await writeFile(root(id, 'lines.tsv'), '');
    await writeFile(root(source), 'four');
    const startedAt = `2026-01-0${id}T00:00:00Z`;
    const rest = { connection: 'c', origin: '', sha256: 'x', requestCount: 1, bodyBytes: 1 };
    return { id, source: pathToFileURL(root(source)).href, fileBytes: 4, state: 'created', startedAt, ...rest, ...more };
  }

  it('hashes the newest run of each file, once', async () => {
    const all = [
      await submission('1', 'a'),
      await submission('2', 'a'),
      await submission('3', 'b'),
      await submission('4', 'b', { state: 'failed' }),
    ];
    await hashNewest(deps(all), new AbortController().signal);
    assert.deepEqual(hashed.sort(), ['a', 'b']);
    await hashNewest(deps(all), new AbortController().signal);
    assert.equal(hashed.length, 2);
  });

  it("doesn't wait for a response after the body was sent", async () => {
    const all = [
      await submission('1', 'a', { state: 'sending', handedOut: false }),
      await submission('2', 'b', { state: 'sending', handedOut: true }),
      await submission('3', 'c', { state: 'unknown', handedOut: true }),
      await submission('4', 'd', { state: 'failed', handedOut: true }),
    ];
    await hashNewest(deps(all), new AbortController().signal);
    assert.deepEqual(hashed.sort(), ['b', 'c']);
  });

  it('ignores a file that has changed since it was sent', async () => {
    assert.equal(await hashSubmitted(deps(), await submission('1', 'a', { fileBytes: 5 })), undefined);
    assert.deepEqual(hashed, []);
    fail = Object.assign(new Error('changed'), { name: 'SourceChangedError' });
    assert.equal(await hashSubmitted(deps(), await submission('2', 'a')), undefined);
  });

  it("uses the copy of the editor's text", async () => {
    const sent = await submission('1', 'a', { fromEditor: true });
    await writeFile(root('1', 'source.jsonl'), 'copy');
    assert.equal(await hashSubmitted(deps(), sent), root('1', 'requests.hash'));
    assert.deepEqual(hashed, [path.join('1', 'source.jsonl')]);
  });

  it('logs failures and continues', async () => {
    fail = new Error('no room');
    await hashNewest(deps([await submission('1', 'a'), await submission('2', 'b')]), new AbortController().signal);
    assert.equal(warnings.length, 2);
  });
});
