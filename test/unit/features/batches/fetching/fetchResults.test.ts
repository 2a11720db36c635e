import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type MessageBatch, messageBatchSchema } from '../../../../../src/client/resources/messageBatches';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import type { BodyPosition, ResumableStream } from '../../../../../src/client/transport/callResult';
import { ServiceError, type ServiceErrorKind } from '../../../../../src/client/transport/errors';
import { ResultsFetchError, type ResultsFetchProblem } from '../../../../../src/features/batches/fetching/fetchMessages';
import {
  type FetchOptions,
  type FetchProgress,
  fetchResults,
  joinFetched,
} from '../../../../../src/features/batches/fetching/fetchResults';
import type { JsonlJobs } from '../../../../../src/jsonl/jobs/jobs';
import type { JoinSource } from '../../../../../src/jsonl/results/joinedResults';
import { joinResults } from '../../../../../src/jsonl/results/resultsJoin';
import { withDiskCalls } from '../../../../helpers/diskCalls';
import { useFolder } from '../../../../helpers/useFolder';

const counts = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 3 };
const ended = messageBatchSchema.parse({ id: 'batch_1', processing_status: 'ended', results_url: '/x', request_counts: counts });
const line = (id: string) => `{"custom_id":"${id}","result":{"type":"expired"}}\n`;
const whole = ['c', 'a', 'b'].map(line).join('');

/** Response to one call for the results: chunks, then the end or an error. */
interface Reply {
  readonly chunks: readonly string[];
  readonly contentLength?: number;
  /** Offset of the first chunk in the complete results, in bytes. */
  readonly start?: number;
  readonly validator?: string;
  readonly error?: Error;
  /** Keeps the response open forever after its chunks. */
  readonly hangs?: boolean;
}

function failure(kind: ServiceErrorKind, status?: number, retryAfter?: number): ServiceError {
  return new ServiceError(kind, { kind, outcome: 'unknown', method: 'GET', host: 'h', path: '/p', status, retryAfter });
}

/** Returns the results from `start` to `end` (exclusive). The response is cut unless `end` is the end of the results. */
const piece = (start: number, end: number): Reply => ({
  chunks: [whole.slice(start, end)],
  contentLength: whole.length - start,
  start,
  validator: '"v1"',
  ...(end < whole.length && { error: failure('connection_lost') }),
});

const cut: Reply = { chunks: [whole.slice(0, 70)], contentLength: whole.length, error: failure('connection_lost') };

describe('features/batches/fetching/fetchResults', () => {
  afterEach(async () => {
    assert.deepEqual(
      (await readdir(file())).filter(name => name.endsWith('.part')),
      [],
      'nothing half-written is left',
    );
  });

  const file = useFolder();
  let calls: number;
  let asked: (BodyPosition | undefined)[];
  let left: number;

  beforeEach(async () => {
    calls = 0;
    asked = [];
    left = 0;
    await writeFile(file('lines'), '0\ta\n1\tb\n2\tc\n');
  });

  function client(...replies: readonly (Reply | Error)[]): Pick<ServiceClient, 'batches'> {
    const results = async (_id: string, given: { readonly from?: BodyPosition; readonly once?: boolean }): Promise<ResumableStream> => {
      const reply = replies[Math.min(calls++, replies.length - 1)] ?? assert.fail();
      const { lastModified: _, ...place } = given.from ?? {};
      asked.push(given.from && (place as BodyPosition));
      assert.equal(given.once, true, 'one layer tries again');
      if (reply instanceof Error) {
        throw reply;
      }
      const { chunks, error, hangs, contentLength, start = 0, validator } = reply;
      async function* body(): AsyncGenerator<Uint8Array> {
        try {
          for (const chunk of chunks) {
            yield Buffer.from(chunk, 'latin1');
          }
          if (hangs === true) {
            await new Promise(() => {});
          }
          if (error !== undefined) {
            throw error;
          }
        } finally {
          left++;
        }
      }
      return { body: body(), contentLength, start, totalBytes: contentLength && start + contentLength, validator, requestId: undefined };
    };
    return { batches: { results } as unknown as ServiceClient['batches'] };
  }

  /** Joins to await after each test. A canceled fetch doesn't wait for its join. */
  const joins: Promise<unknown>[] = [];
  const jobs: Pick<JsonlJobs, 'run'> = {
    run: (_, source, options) => {
      const join = joinResults(source as JoinSource, {
        throwIfAborted: () => options?.signal?.throwIfAborted(),
        progress: progress => options?.onProgress?.(progress),
        signal: options?.signal,
      });
      joins.push(join);
      return join as Promise<never>;
    },
  };

  const options = (given: Partial<FetchOptions> & Pick<FetchOptions, 'client'>): FetchOptions => ({
    batch: ended,
    rawPath: file('raw'),
    joinedPath: file('joined'),
    indexPath: file('index'),
    linesPath: file('lines'),
    jobs,
    pause: () => Promise.resolve(),
    ...given,
  });

  const fetchWith = (given: Partial<FetchOptions>, ...replies: readonly (Reply | Error)[]) =>
    fetchResults(options({ client: client(...replies), ...given }));
  const fetch = (...replies: readonly (Reply | Error)[]) => fetchWith({}, ...replies);
  const isProblem = (kind: ResultsFetchProblem) => (error: unknown) => error instanceof ResultsFetchError && error.kind === kind;

  /** Returns the error of results that were cut. */
  async function cutOf(fetching: Promise<unknown>): Promise<ResultsFetchError> {
    const error: unknown = await fetching.catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ResultsFetchError && error.kind === 'cut', String(error));
    return error;
  }

  async function assertNothingNew(): Promise<void> {
    await Promise.allSettled(joins);
    assert.deepEqual(await readdir(file()), ['lines']);
  }

  it('keeps the results unchanged and joins them', async () => {
    const progress: FetchProgress[] = [];
    const reply = { chunks: [...whole], contentLength: whole.length };
    const { report, requestsLeftOut } = await fetchWith({ onProgress: step => progress.push(step) }, reply);
    assert.equal(report.complete, true);
    assert.equal(requestsLeftOut, undefined);
    assert.equal(await readFile(file('raw'), 'utf8'), whole);
    assert.equal((await stat(file('raw'))).mode & 0o777, 0o600);
    assert.match(await readFile(file('joined'), 'utf8'), /"a".*\n.*"b".*\n.*"c".*\n$/);
    assert.ok(progress.some(step => step.phase === 'fetching' && step.doneBytes === whole.length && step.totalBytes === whole.length));
    assert.deepEqual(progress.at(-1)?.phase, 'joining');
  });

  it('receives at most the allowed size, announced or not', async () => {
    for (const contentLength of [whole.length, undefined]) {
      calls = 0;
      await assert.rejects(fetchWith({ maxBytes: whole.length - 1 }, { chunks: [...whole], contentLength }), isProblem('large'));
      assert.equal(calls, 1, 'not tried again');
      await assertNothingNew();
    }
    const { report } = await fetchWith({ maxBytes: whole.length }, { chunks: [...whole] });
    assert.equal(report.complete, true);
  });

  it('discards results of other requests, whatever the counts', async () => {
    const others = ['x', 'y', 'z'].map(line).join('');
    const error = await fetch({ chunks: [others], contentLength: others.length }).catch((thrown: unknown) => thrown);
    assert.ok(isProblem('foreign')(error), String(error));
    assert.match(String(error), /the results of other requests/);
    await assertNothingNew();
    await writeFile(file('joined'), 'mine');
    await assert.rejects(fetch({ chunks: [others] }), isProblem('foreign'));
    assert.equal(await readFile(file('joined'), 'utf8'), 'mine');
  });

  it('compares counts if the sent IDs are lost', async () => {
    const isComplete = async (requestCount: number) =>
      (await fetchWith({ linesPath: undefined, requestCount }, { chunks: [whole] })).report.complete;
    assert.deepEqual([await isComplete(3), await isComplete(4)], [true, false]);
  });

  it('overwrites no file that appeared while results arrived', async () => {
    const onProgress = () => writeFileSync(file('raw.jsonl'), 'mine');
    const { rawPath } = await fetchWith({ rawPath: file('raw.jsonl'), rawTarget: { stamp: undefined }, onProgress }, { chunks: [whole] });
    assert.equal(rawPath, file('raw-2.jsonl'));
    assert.equal(await readFile(file('raw.jsonl'), 'utf8'), 'mine');
  });

  it("makes no calls for a batch that hasn't ended or whose results are gone", async () => {
    const refused: readonly (readonly [Partial<MessageBatch>, ResultsFetchProblem])[] = [
      [{ processing_status: 'in_progress' }, 'not_ended'],
      [{ processing_status: 'canceling' }, 'not_ended'],
      [{ results_url: null }, 'gone'],
      [{ archived_at: '2026-01-01T00:00:00Z' }, 'gone'],
    ];
    for (const [fields, kind] of refused) {
      await assert.rejects(fetchWith({ batch: { ...ended, ...fields } }, cut), isProblem(kind));
    }
    assert.equal(calls, 0);
    await assertNothingNew();
  });

  it("reports that results are gone if the service doesn't find them, and returns other errors, after one call", async () => {
    await assert.rejects(fetch(failure('not_found')), isProblem('gone'));
    await assert.rejects(fetch(failure('authentication')), { kind: 'authentication' });
    assert.equal(calls, 2);
    await assertNothingNew();
  });

  it('reads cut results again from the start', async () => {
    for (const broken of [
      cut,
      { chunks: [whole.slice(0, -5)], contentLength: whole.length },
      { chunks: [whole.slice(0, -5)] },
      { chunks: [] },
    ]) {
      calls = 0;
      const { report } = await fetch(broken, broken, { chunks: [whole] });
      assert.equal(report.complete, true);
      assert.equal(calls, 3);
      assert.equal(await readFile(file('raw'), 'utf8'), whole);
    }
  });

  it('resumes cut results if the service supports it', async () => {
    const total = whole.length;
    const seen: number[] = [];
    const ends = [10, 11, 40, 41, 70, total];
    const onProgress = ({ phase, doneBytes }: FetchProgress) => phase === 'fetching' && seen.push(doneBytes);
    const { report } = await fetchWith({ onProgress }, ...ends.map((end, at) => piece(ends[at - 1] ?? 0, end)));
    assert.equal(report.complete, true);
    assert.equal(await readFile(file('raw'), 'utf8'), whole);
    assert.deepEqual(asked, [undefined, ...ends.slice(0, -1).map(offset => ({ offset, validator: '"v1"', totalBytes: total }))]);
    assert.equal(seen.at(-1), total);
    assert.deepEqual((await readdir(file())).sort(), ['index', 'joined', 'lines', 'raw']);
  });

  it('restarts when the results changed, or the service sends them completely', async () => {
    const changed = ['b', 'c', 'a'].map(line).join('');
    const { report } = await fetch(
      piece(0, 70),
      { chunks: [changed.slice(0, 30)], contentLength: changed.length, validator: '"v2"', error: failure('connection_lost') },
      { chunks: [changed.slice(30)], contentLength: changed.length - 30, start: 30, validator: '"v2"' },
    );
    assert.equal(report.complete, true);
    assert.equal(await readFile(file('raw'), 'utf8'), changed);
    assert.deepEqual(
      asked.map(place => place?.validator),
      [undefined, '"v1"', '"v2"'],
    );
  });

  it('gives up after three attempts without progress, and keeps the received part', async () => {
    const nothing = piece(70, 70);
    const { incompletePath = assert.fail() } = await cutOf(fetch(piece(0, 70), nothing, nothing, nothing, nothing));
    assert.equal(calls, 4);
    assert.equal(await readFile(incompletePath, 'utf8'), whole.slice(0, 70));
    assert.deepEqual((await readdir(file())).sort(), ['lines', 'raw.incomplete']);
  });

  it('continues after unexpected responses in the middle, from the service or a gateway', async () => {
    const wrong: readonly (Reply | Error)[] = [
      failure('not_json', 200),
      { chunks: ['\n <html>', 'Log in'] },
      failure('not_found', 404),
      failure('connection_refused'),
      failure('api', 503),
      failure('permission', 403),
    ];
    for (const answer of wrong) {
      calls = 0;
      const { report } = await fetch(piece(0, 70), answer, answer, piece(70, whole.length));
      assert.equal(report.complete, true);
      assert.equal(calls, 4);
      assert.equal(await readFile(file('raw'), 'utf8'), whole);
    }
  });

  it('keeps the received part if only unexpected responses follow', async () => {
    for (const answer of [failure('not_found', 404), failure('authentication', 401), { chunks: ['<html>'] }]) {
      for (const validator of ['"v1"', undefined]) {
        calls = 0;
        const { incompletePath = assert.fail(), message } = await cutOf(fetch({ ...cut, validator }, answer));
        assert.match(message, /could not be read to their end in \d attempts \(.*The received part was saved/);
        assert.equal(calls, validator === undefined ? 3 : 4);
        assert.equal(await readFile(incompletePath, 'utf8'), whole.slice(0, 70));
        await rm(incompletePath);
      }
    }
  });

  it('tries three times when the service is overloaded, after the requested delay, and returns its error', async () => {
    const pauses: number[] = [];
    const pause = async (ms: number) => void pauses.push(ms);
    const overloaded = failure('overloaded', 529, 7000);
    await assert.rejects(fetchWith({ pause }, overloaded), error => error === overloaded);
    assert.equal(calls, 3);
    assert.deepEqual(pauses, [7000, 7000]);
    calls = 0;
    const later = failure('rate_limit', 429, 3_600_000);
    await assert.rejects(fetchWith({ pause }, later), error => error === later);
    assert.equal(calls, 1);
    await assertNothingNew();
  });

  it('discards results without a complete line', async () => {
    const error = await cutOf(fetch({ ...cut, chunks: [whole.slice(0, 30)] }));
    assert.match(error.message, /and no complete result was received\. Try again later\.$/);
    assert.equal(error.incompletePath, undefined);
    await assertNothingNew();
  });

  it('reports the first bytes at once, and stops at once when canceled while the service is silent', async () => {
    const abort = new AbortController();
    const seen: number[] = [];
    const onProgress = ({ phase, doneBytes }: FetchProgress) => {
      if (phase === 'fetching' && doneBytes > 0) {
        seen.push(doneBytes);
        abort.abort();
      }
    };
    const silent = { chunks: [whole.slice(0, 30)], contentLength: whole.length, hangs: true };
    await assert.rejects(fetchWith({ signal: abort.signal, onProgress }, silent), { name: 'AbortError' });
    assert.deepEqual(seen, [30]);
    await assertNothingNew();
  });

  it('keeps the longest part of results that were cut three times, and nothing under the final name', async () => {
    await writeFile(file('raw'), 'old raw');
    await writeFile(file('joined'), 'old joined');
    const longer = { ...cut, chunks: [whole.slice(0, 120)] };
    const given = options({ client: client(cut, longer, cut) });
    const { incompletePath = assert.fail() } = await cutOf(fetchResults(given));
    assert.equal(calls, 3);
    assert.equal(await readFile(file('raw'), 'utf8'), 'old raw');
    assert.equal(await readFile(file('joined'), 'utf8'), 'old joined');
    assert.equal(await readFile(incompletePath, 'utf8'), longer.chunks[0]);
    const { report } = await joinFetched(incompletePath, given);
    assert.equal(report.complete, false);
    assert.deepEqual([report.missing.first, report.damaged.count], [['b'], 1]);
    assert.match(await readFile(file('joined'), 'utf8'), /"a".*\n.*"c".*\n$/);
    await fetch({ chunks: [whole] });
    assert.deepEqual((await readdir(file())).sort(), ['index', 'joined', 'lines', 'raw']);
  });

  it("doesn't accept a foreign body as results, and doesn't retry", async () => {
    for (const body of ['<!doctype html><p>Log in', '\n  <html>', 'Service unavailable', '{"error":"no"}\n', '[]']) {
      calls = 0;
      await assert.rejects(fetch({ chunks: [...body], contentLength: body.length }), isProblem('foreign'), body);
      assert.equal(calls, 1);
      await assertNothingNew();
    }
  });

  it('accepts a last line without LF, and a byte order mark', async () => {
    const { report } = await fetch({ chunks: ['\xef\xbb\xbf', whole.slice(0, -1)] });
    assert.equal(report.complete, true);
    assert.equal(calls, 1);
  });

  it('leaves no files when it is canceled between attempts or while joining', async () => {
    const between = new AbortController();
    const pause = () => {
      between.abort();
      return Promise.reject(between.signal.reason);
    };
    await assert.rejects(fetchWith({ signal: between.signal, pause }, cut), { name: 'AbortError' });
    await assertNothingNew();
    const joining = new AbortController();
    const onProgress = ({ phase }: FetchProgress) => phase === 'joining' && joining.abort();
    await assert.rejects(fetchWith({ signal: joining.signal, onProgress }, { chunks: [whole] }), { name: 'AbortError' });
    await assertNothingNew();
  });

  it('reports a full disk, closes the connection and leaves no files', async () => {
    const full = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
    const big = 'x'.repeat(1 << 20);
    await withDiskCalls({ writeMany: full }, () => assert.rejects(fetchWith({}, { chunks: ['{', big, big, big] }), { code: 'ENOSPC' }));
    assert.equal(calls, 1);
    assert.equal(left, 1);
    await assertNothingNew();
  });

  it('keeps the raw results when only the join fails', async () => {
    await writeFile(file('lines'), 'damaged');
    await assert.rejects(fetch({ chunks: [whole] }), { name: 'LineMapError' });
    assert.equal(await readFile(file('raw'), 'utf8'), whole);
  });

  it('leaves requests out if their file has changed, and says so', async () => {
    await writeFile(file('source'), ['a', 'b', 'c'].map(id => `{"custom_id":"${id}","params":{"p":"${id}"}}\n`).join(''));
    const given = options({ client: client({ chunks: [whole] }), includeRequestsFrom: file('source') });
    assert.equal((await fetchResults(given)).requestsLeftOut, undefined);
    assert.match(await readFile(file('joined'), 'utf8'), /"request":\{"p":"a"\},"result"/);
    for (const change of [() => writeFile(file('source'), '{}\n'), () => rm(file('source'))]) {
      await change();
      const { report, requestsLeftOut } = await fetchResults(given);
      assert.equal(report.complete, true);
      assert.match(requestsLeftOut ?? '', /source/);
      assert.doesNotMatch(await readFile(file('joined'), 'utf8'), /"request"/);
    }
  });
});
