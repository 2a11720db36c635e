import type { Submission } from '../../../../src/features/ledger/submission';

/** A submission that was started this many minutes after 1970. */
export const submission = (id: string, minute: number, more: Partial<Submission> = {}): Submission => ({
  id,
  connection: 'Here',
  origin: 'http://127.0.0.1:1',
  source: 'file:///a.jsonl',
  fileBytes: 10,
  sha256: 'a',
  requestCount: 1,
  bodyBytes: 10,
  state: 'created',
  startedAt: new Date(minute * 60_000).toISOString(),
  ...more,
});
/** Like `submission`, as a part of a group of two. */
export const part = (id: string, index: number, minute: number, more: Partial<Submission> = {}) =>
  submission(id, minute, { group: { id: 'g', index, count: 2 }, ...more });
