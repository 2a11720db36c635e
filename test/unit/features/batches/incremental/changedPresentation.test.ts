import assert from 'node:assert/strict';
import { describeChanged, describeKept, toChangedReport } from '../../../../../src/features/batches/incremental/changedPresentation';
import type { ChangedRequests } from '../../../../../src/jsonl/merging/mergingJobs';

const context = {
  translate: (message: string, ...args: (string | number)[]) => message.replace(/\{(\d)\}/g, (_, at: string) => String(args[Number(at)])),
  locale: 'en',
};

const changed: ChangedRequests = {
  sha256: '',
  lines: Uint32Array.of(0, 4, 9),
  why: Uint8Array.of(0, 1, 2),
  firstIds: ['a', '\u202eb'],
  counts: { new: 1, changed: 1, failed: 1, unknown: 0, kept: 1200 },
  broken: 0,
};

describe('features/batches/incremental/changedPresentation', () => {
  it('counts the reasons and what is left out', () => {
    assert.equal(
      describeChanged(changed, context),
      'those without an answer for what they say now: 1 new, 1 changed, 1 without success before',
    );
    assert.match(describeKept(changed, context), /^1,200 requests keep their answers and are not sent\. A model/);
    assert.match(describeKept({ counts: { ...changed.counts, kept: 0 } }, context), /all of them/);
  });

  it('says that what nobody knows is paid for again', () => {
    const counts = { ...changed.counts, unknown: 2 };
    assert.match(
      describeKept({ counts }, context),
      /^2 requests were sent before, .* sent again they run, and cost, again\. 1,200 requests keep/,
    );
    assert.match(describeChanged({ ...changed, counts }, context), /2 sent before, nobody knows with which words$/);
  });

  it('names each request and why it is sent, with a link to its line', () => {
    const { text, links } = toChangedReport('a.jsonl', changed, context);
    const rows = text.split('\n');
    assert.deepEqual(
      links.map(({ reportLine, line }) => [rows[reportLine], line]),
      [
        ['line 1  new  a', 0],
        [rows[links[1]?.reportLine ?? 0], 4],
      ],
    );
    assert.match(rows[links[1]?.reportLine ?? 0] ?? '', /^line 5 {2}changed {2}/);
    assert.ok(!text.includes('\u202e'));
    assert.ok(text.includes('... and 1 more'));
    assert.ok(!text.includes('unknown:'));
  });
});
