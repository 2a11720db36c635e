import assert from 'node:assert/strict';
import { toRunHover, toRunPage } from '../../../../../src/features/batches/details/batchDetails';
import { partsOf, rowOfForeign } from '../../../../../src/features/batches/runRow';
import { toSourceNames } from '../../../../../src/features/batches/sourceNames';
import { toRuns } from '../../../../../src/features/ledger/runs';
import type { Submission } from '../../../../../src/features/ledger/submission';
import { batch, context, submission as sent } from '../batchUnderTest';
import { resultsAt, submissionOf } from '../fileRuns/submissionOf';

const connection = { name: 'Lab', host: 'h' };
const submission: Submission = { ...sent, batchId: batch('ended', {}).id };
const evil = '[x](command:y) <img src=x> `a` |';
const part = (index: number, more: Partial<Submission> = {}) =>
  submissionOf(`${index + 1}`, {
    ...{ source: 'file:///home/a%20b/large_file.jsonl', requestCount: 3, group: { id: 'g', index, count: 3 } },
    selection: { purpose: 'part', firstLine: index * 3, lastLine: index * 3 + 2, digest: `${index}` },
    batch: batch('in_progress', { processing: 3 }),
    ...more,
  });
const rowOf = (...submissions: readonly Submission[]) => {
  const run = toRuns(submissions)[0] ?? assert.fail();
  return { run, parts: partsOf(run) };
};
const broken = rowOf(
  part(0, { batchId: evil, batch: { ...batch('in_progress', {}), id: evil } }),
  part(1, { state: 'unknown', batchId: undefined, batch: undefined, problem: evil }),
);

describe('features/batches/details/batchDetails', () => {
  it('names the file with its folder if another one has the same name', () => {
    const named = { ...context, nameOf: toSourceNames(['file:///a/q.jsonl', 'file:///b/q.jsonl']) };
    const other: Submission = { ...submission, source: 'file:///b/q.jsonl' };
    for (const shown of [batch('ended', {}), undefined]) {
      assert.match(toRunPage(rowOf(other), shown, connection, named), /^# q\\\.jsonl \\\(b\\\)\n/);
    }
  });

  it('renders no markup from the service or the file', () => {
    const hostile = { ...batch('ended', { succeeded: 1 }), id: evil };
    const costs = { actual: evil, estimate: '' };
    for (const text of [
      toRunPage(rowOfForeign('Lab', hostile), hostile, connection, context),
      toRunHover(rowOfForeign('Lab', hostile), connection, costs, context),
      toRunPage(broken, undefined, connection, context),
      toRunHover(broken, connection, costs, context),
    ]) {
      assert.doesNotMatch(text, /(?<!\\)\[x/);
      assert.doesNotMatch(text, /(?<!\\)<img/);
      assert.doesNotMatch(text, /(?<!\\)`a/);
    }
  });

  it('says for a running batch that results are counted at its end', () => {
    const running = batch('in_progress', { processing: 2 });
    assert.match(toRunPage(rowOf(submission), running, connection, context), /The service reports counts when the batch has ended/);
  });

  it('shows the path of the file, the results of the requests, and the cost', () => {
    const { report } = resultsAt('/1');
    const results = { ...resultsAt('/1'), report: { ...report, refused: 3 } };
    const fetched = { ...submission, source: 'file:///home/a%20b/q.jsonl', results };
    const page = toRunPage(rowOf(fetched), batch('ended', { succeeded: 10 }), connection, context, { links: [], cost: '$1.05' });
    assert.match(page, /\| File \| \/home\/a b\/q\\\.jsonl \|/);
    assert.match(page, /\| Cut short \| 1 \|\n\| Refused \| 3 \|/);
    assert.match(page, /\| Cost \| \\\$1\\\.05 \|/);
    const untitled = { ...submission, source: 'untitled:Untitled-1' };
    assert.match(toRunPage(rowOf(untitled), batch('ended', {}), connection, context), /\| File \| untitled:Untitled\\-1 \|/);
  });

  it('shows which run or part it is, and its actions', () => {
    const links = ['[Copy ID](command:x)', '[Cancel\\.\\.\\.](command:y)'];
    const page = toRunPage(rowOf(submission), batch('ended', { succeeded: 1 }), connection, context, { links, cost: '' });
    assert.match(page, /^# my questions\\\.jsonl\n\nAll 12 · Ended/);
    assert.match(page, /\n\n\[Copy ID\]\(command:x\) · \[Cancel/);
    const second = batch('ended', {}, { id: 'b-2' });
    const ofPart = toRunPage(rowOf(part(0), part(1)), second, connection, context);
    assert.match(ofPart, /All 6 · Part 2 of 3 · Ended/);
  });

  it('lists all parts of a run with their statuses and links', () => {
    const page = toRunPage(broken, undefined, connection, context);
    assert.match(page, /^# large\\_file\\\.jsonl\n\nAll 6 · part 2 may have/);
    assert.match(page, /\| Part 1, lines 1 to 3 \| running for .* \| .*\]\(command:managedAgents\.batch\.open\?[\w.%-]+\) \|/);
    assert.match(page, /\| Part 2, lines 4 to 6 \| .*\[Show submission log\]\(command:managedAgents\.submission\.resolve\?/);
    assert.match(page, /\| Part 3 \| not sent \|/);
  });

  it('has a hover with counts, cost, connection and IDs', () => {
    const hover = toRunHover(broken, connection, { actual: '$1.05', estimate: '' }, context);
    assert.match(hover, /^\*\*All 6 · part 2 may have/);
    assert.match(hover, /Requests: 6 requests {2}\nBatches: 3 {2}\nCost: \\\$1\\\.05 {2}\n/);
    assert.doesNotMatch(hover, /Estimated|Runs:/);
    assert.match(hover, /Connection: Lab \\\(h\\\)/);
    assert.match(toRunHover(broken, connection, { actual: '', estimate: '$2' }, context, 4), /Runs: 4 {2}\n[\s\S]*Estimated cost: \\\$2/);
  });
});
