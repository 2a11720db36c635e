import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunResults } from '../../../../src/features/ledger/runs';
import { failedAmong } from '../../../../src/features/requestTests/failedTests';
import { TestedFile } from '../../../../src/features/requestTests/testedFile';
import type { JudgeSource } from '../../../../src/jsonl/expecting/expectingJobs';
import { judgeResults } from '../../../../src/jsonl/expecting/judgeResults';
import type { JsonlJobs } from '../../../../src/jsonl/jobs/jobs';
import { errored, makeJoined, quiet, succeeded } from '../../jsonl/querying/joinedFile';

describe('features/requestTests/failedTests', () => {
  it('finds each failed test among what was chosen once, answers that are not as expected among them', async () => {
    const joined = await makeJoined([
      ['bad-0', errored('too long')],
      ['good', succeeded('yes')],
      ['bad-1', errored('too long')],
      ['wrong', succeeded('no')],
      ['gone', undefined],
    ]);
    try {
      const expectations = path.join(joined.folder, 'a.expect.jsonl');
      writeFileSync(expectations, '{"contains":"yes"}\n');
      const jobs = { run: async (_name: string, source: JudgeSource) => judgeResults(source, quiet) } as unknown as Pick<JsonlJobs, 'run'>;
      const file = new TestedFile('file:///a.jsonl', expectations, jobs, () => joined.folder);
      const results = { joinedPath: joined.joinedPath, submissionId: 's', indexName: path.basename(joined.indexPath), fetchedAt: '' };
      await file.judge(results as RunResults, new AbortController().signal);

      const groups = file.groups.map(group => ({ kind: 'group' as const, group }));
      const all = failedAmong(groups, file);
      assert.deepEqual([[...all.rows], all.unmet, all.missing], [[0, 2, 3], 1, 1]);

      const bad = file.groups.find(({ kind }) => kind === 'failed');
      const passed = file.groups.find(({ kind }) => kind === 'passed');
      assert.ok(bad && passed);
      const [first] = file.requests(bad, 0, 1);
      const [good] = file.requests(passed, 0, 1);
      assert.ok(first && good);
      const some = failedAmong(
        [
          { kind: 'page', group: bad, first: 1, count: 200 },
          { kind: 'request', group: bad, request: first },
          { kind: 'request', group: passed, request: good },
          { kind: 'group', group: bad },
        ],
        file,
      );
      assert.deepEqual([[...some.rows], some.unmet, some.missing], [[0, 2], 0, 0]);
    } finally {
      await joined.remove();
    }
  });
});
