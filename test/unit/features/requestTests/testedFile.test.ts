import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunResults } from '../../../../src/features/ledger/runs';
import { TestedFile } from '../../../../src/features/requestTests/testedFile';
import { type JudgeSource, judgeResults } from '../../../../src/jsonl/expecting/judgeResults';
import type { JsonlJobs } from '../../../../src/jsonl/jobs/jobs';
import { turns, until } from '../../../helpers/until';
import { errored, makeJoined, quiet, succeeded } from '../../jsonl/querying/joinedFile';

const { signal } = new AbortController();

describe('features/requestTests/testedFile', () => {
  let joined: Awaited<ReturnType<typeof makeJoined>>;
  let results: RunResults;
  let judged: number;
  /** Promise that the first judging awaits after its last answer. */
  let pause: Promise<void> | undefined;
  let isPaused: boolean;

  async function open(count: number): Promise<TestedFile> {
    joined = await makeJoined([
      ...Array.from({ length: count }, (_, index) => [`bad-${index}`, errored('too long')] as const),
      ['good', succeeded('yes')],
      ['gone', undefined],
      ['cut', succeeded('half', { stop: 'max_tokens' })],
    ]);
    results = { joinedPath: joined.joinedPath, submissionId: 's', indexName: path.basename(joined.indexPath), fetchedAt: '' } as RunResults;
    judged = 0;
    isPaused = false;
    const jobs = {
      run: async (_name: string, source: JudgeSource) => {
        const found = judgeResults(source, quiet);
        if (judged++ === 0) {
          await found;
          isPaused = true;
          await pause;
        }
        return found;
      },
    } as unknown as Pick<JsonlJobs, 'run'>;
    return new TestedFile('file:///a.jsonl', path.join(joined.folder, 'a.expect.jsonl'), jobs, () => joined.folder);
  }

  afterEach(async () => {
    pause = undefined;
    await joined.remove();
  });

  it('groups by cause, largest first and passed ones last, and returns pages', async () => {
    const file = await open(450);
    assert.deepEqual(file.groups, []);
    await file.judge(results, signal);
    assert.deepEqual(
      file.groups.map(({ kind, count }) => [kind, count]),
      [
        ['failed', 450],
        ['cut_short', 1],
        ['missing', 1],
        ['passed', 1],
      ],
    );
    const [bad, cut, missing] = file.groups;
    assert.ok(bad && cut && missing);
    const page = file.requests(bad, 400, 200);
    assert.deepEqual([page.length, page[0]?.customId, page[0]?.entry?.line, page.at(-1)?.customId], [50, 'bad-400', 400, 'bad-449']);
    assert.deepEqual(file.requests(missing, 0, 200), [{ customId: 'gone', entry: undefined }]);
    const [half] = file.requests(cut, 0, 200);
    assert.ok(half);
    assert.equal(half.entry?.status, 'cut_short');
  });

  it('judges only changed lines again, and reports invalid rows', async () => {
    const file = await open(2);
    await file.judge(results, signal);
    await file.judge(results, signal);
    assert.equal(judged, 1);
    writeFileSync(file.expectationsPath, '{"equals":"no"}\n{"custom_id":"nobody"}\n');
    await file.judge(results, signal);
    assert.equal(judged, 2);
    assert.deepEqual(
      file.groups.map(({ kind, count }) => [kind, count]),
      [
        ['failed', 2],
        ['cut_short', 1],
        ['unmet', 1],
        ['missing', 1],
      ],
    );
    assert.deepEqual(
      file.problems.map(({ code }) => code),
      ['no-such-id'],
    );
    const details = await file.details([2, 0], signal);
    assert.deepEqual([...details.keys()], [0, 2]);
    assert.deepEqual(details.get(2)?.failure, { check: 'equals', expected: 'no', actual: 'yes' });
  });

  it('ends with the newest judgement, however long an earlier one takes', async () => {
    const file = await open(2);
    let goOn = () => {};
    pause = new Promise(resolve => {
      goOn = resolve;
    });
    const before = file.judge(results, signal);
    await until(() => isPaused);
    writeFileSync(file.expectationsPath, '{"equals":"no"}\n');
    const after = file.judge(results, signal);
    const stopped = assert.rejects(file.judge(results, AbortSignal.abort()), { name: 'AbortError' });
    await turns(100);
    goOn();
    await Promise.all([before, after, stopped]);
    assert.ok(file.groups.some(({ kind }) => kind === 'unmet'));
  });

  it('finds moved requests after they were judged again', async () => {
    const file = await open(3);
    await file.judge(results, signal);
    const places = () =>
      [...file.positions(new Set(['good', 'bad-2', 'gone', 'nobody']))].map(([id, { group, position }]) => [id, group.kind, position]);
    assert.deepEqual(places(), [
      ['bad-2', 'failed', 2],
      ['gone', 'missing', 0],
      ['good', 'passed', 0],
    ]);
    writeFileSync(file.expectationsPath, '{"equals":"no"}\n');
    await file.judge(results, signal);
    assert.deepEqual(
      places().find(([id]) => id === 'good'),
      ['good', 'unmet', 0],
    );
  });
});
