import assert from 'node:assert/strict';
import { toBatchHover, toBatchPage } from '../../../../../src/features/batches/details/batchDetails';
import { describeRunOf } from '../../../../../src/features/batches/details/runWords';
import { toSourceNames } from '../../../../../src/features/batches/sourceNames';
import { toRuns } from '../../../../../src/features/ledger/runs';
import { batch, context, submission } from '../batchUnderTest';
import { resultsAt } from '../fileRuns/submissionOf';

describe('features/batches/details/batchDetails', () => {
  const connection = { name: 'A', host: 'h:1' };

  it('keeps a field it does not know on the page', () => {
    const page = toBatchPage({ ...batch('ended', { succeeded: 1 }), billing: { tier: 'x' } }, undefined, connection, context);
    assert.match(page, /billing/);
    assert.match(page, /\| billing \| \\\{"tier":"x"\\\} \|/);
  });

  it('names the file with its folder where another one has its name, in title, hover and run', () => {
    const nameOf = toSourceNames(['file:///a/q.jsonl', 'file:///b/q.jsonl']);
    const named = { ...context, nameOf };
    const other = { ...submission, source: 'file:///b/q.jsonl' };
    assert.match(toBatchPage(batch('ended', {}), other, connection, named), /^# q\\\.jsonl \\\(b\\\)\n/);
    assert.match(toBatchHover(batch('ended', {}), other, connection, named), /Source: q\\\.jsonl \\\(b\\\)/);
    const [run] = toRuns([{ ...other, selection: { purpose: 'rest' } as never }]);
    assert.match(describeRunOf(run?.lead ?? other, run ?? assert.fail(), [], named), /^The rest of q\.jsonl \(b\) after/);
  });

  it('lets nothing of the service or the file become markup', () => {
    const evil = { ...batch('ended', { succeeded: 1 }), id: '[x](command:evil) <img src=x> `a` |' };
    for (const text of [toBatchPage(evil, undefined, connection, context), toBatchHover(evil, undefined, connection, context)]) {
      assert.doesNotMatch(text, /(?<!\\)\[x/);
      assert.doesNotMatch(text, /(?<!\\)<img/);
      assert.doesNotMatch(text, /(?<!\\)`a/);
    }
  });

  it('says of a running batch that outcomes are counted at its end', () => {
    assert.match(
      toBatchPage(batch('in_progress', { processing: 2 }), submission, connection, context),
      /only when the whole batch has ended/,
    );
  });

  it('tells the path of the file, and what succeeded and needs a look all the same', () => {
    const { report } = resultsAt('/1');
    const fetched = {
      ...submission,
      source: 'file:///home/a%20b/q.jsonl',
      results: { ...resultsAt('/1'), report: { ...report, refused: 3 } },
    };
    const page = toBatchPage(batch('ended', { succeeded: 10 }), fetched, connection, context);
    assert.match(page, /\| File \| \/home\/a b\/q\\\.jsonl \|/);
    assert.match(page, /\| Cut short \| 1 \|\n\| Refused \| 3 \|/);
    assert.match(
      toBatchPage(batch('ended', {}), { ...submission, source: 'untitled:Untitled-1' }, connection, context),
      /\| File \| untitled:Untitled\\-1 \|/,
    );
  });

  it('says which run it is, what can be done, and the runs around it', () => {
    const around = {
      links: ['[Copy ID](command:x)', '[Cancel\\.\\.\\.](command:y)'],
      run: 'A canary of a.jsonl.',
      family: '## Runs',
      cost: '$1.05',
    };
    const page = toBatchPage(batch('ended', { succeeded: 1 }), submission, connection, context, around);
    assert.match(page, /^# my questions\\\.jsonl\n\nA canary of a\\\.jsonl\\\. Ended/);
    assert.match(page, /\n\n\[Copy ID\]\(command:x\) · \[Cancel/);
    assert.match(page, /\n\n## Runs\n\n## Source/);
    const fetched = { ...submission, results: resultsAt('/1') };
    assert.match(toBatchPage(batch('ended', {}), fetched, connection, context, around), /\| Cost \| \\\$1\\\.05 \|/);
  });
});
