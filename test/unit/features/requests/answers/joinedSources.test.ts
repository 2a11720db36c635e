import assert from 'node:assert/strict';
import type { FetchedResults, Submission } from '../../../../../src/features/ledger/submission';
import { sourcesOfJoined } from '../../../../../src/features/requests/answers/goToRequestOfResult';

const results = (joinedPath: string) => ({ joinedPath, fetchedAt: '2026-01-03T00:00:00Z', report: {} }) as FetchedResults;
const submission = (id: string, day: number, more: Partial<Submission>): Submission => ({
  id,
  connection: 'Work',
  origin: 'http://127.0.0.1:1',
  source: `file:///${id}.jsonl`,
  fileBytes: 1,
  sha256: id,
  requestCount: 1,
  bodyBytes: 1,
  state: 'created',
  startedAt: `2026-01-0${day}T00:00:00Z`,
  ...more,
});

const all = [
  submission('a', 1, { results: results('/a.results.jsonl'), merged: { ...results('/a.final.jsonl'), runIds: ['a', 'retry'] } }),
  submission('retry', 2, { results: results('/retry.results.jsonl'), follows: { runId: 'a', purpose: 'retry' } }),
];

describe('features/requests/answers/joinedSources', () => {
  it('returns the files of the answered requests, starting with the original', () => {
    assert.deepEqual(sourcesOfJoined(all, '/a.results.jsonl'), ['file:///a.jsonl']);
    assert.deepEqual(sourcesOfJoined(all, '/retry.results.jsonl'), ['file:///retry.jsonl']);
    assert.deepEqual(sourcesOfJoined(all, '/a.final.jsonl'), ['file:///a.jsonl', 'file:///retry.jsonl']);
    assert.deepEqual(sourcesOfJoined(all, '/none.jsonl'), []);
  });
});
