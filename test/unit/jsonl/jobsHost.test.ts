import assert from 'node:assert/strict';
import path from 'node:path';
import { createJsonlJobs } from '../../../src/jsonl/jobsHost';

describe('src/jsonl/jobsHost', () => {
  const jobs = createJsonlJobs({ threadFile: path.join(process.env.TEST_BUILD ?? '', 'jsonlThread.js') });
  it('rejects with what the job threw', async () => {
    await assert.rejects(jobs.checkFile('nowhere', { maxRequests: 1, maxBytes: 1 }));
  });
});
