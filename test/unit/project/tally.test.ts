import assert from 'node:assert/strict';
import { createTally } from '../../runner/tally.mjs';

function tallyOf(names: readonly string[], grep = '') {
  let output = '';
  const print = (text: string) => {
    output += text;
  };
  const tally = createTally({ names, grep, print, onPage: (name: string, args: unknown[]) => [name, args] });
  const counts = () =>
    Object.fromEntries([...tally.outcomes].map(([name, { passed, failed, failures }]) => [name, { passed, failed, failures }]));
  return { tally, outcomes: counts, output: () => output };
}

describe('project/tally', () => {
  it('counts by file', async () => {
    const { tally, outcomes } = tallyOf(['a', 'b']);
    tally.handle('file', ['a']);
    tally.handle('passed', []);
    tally.handle('file', ['b']);
    tally.handle('passed', []);
    tally.handle('failed', ['b fails: why']);
    tally.handle('end', []);
    await tally.ended(60, []);
    assert.deepEqual(outcomes(), {
      a: { passed: 1, failed: 0, failures: [] },
      b: { passed: 1, failed: 1, failures: ['b fails: why'] },
    });
    assert.equal(tally.hasFailed(), true);
  });

  it('fails a file that runs no test, unless some were asked for by name', async () => {
    const all = tallyOf(['a', 'b']);
    const some = tallyOf(['a', 'b'], 'name');
    for (const { tally } of [all, some]) {
      tally.handle('file', ['a']);
      tally.handle('file', ['b']);
      tally.handle('passed', []);
      tally.handle('end', []);
      await tally.ended(60, []);
    }
    assert.deepEqual(all.outcomes().a, { passed: 0, failed: 1, failures: ['it ran no test'] });
    assert.match(all.output(), /FAILED a: it ran no test/);
    assert.equal(some.tally.hasFailed(), false);
  });

  it('fails the file that runs when VS Code ends, and those that were not reached, and keeps what had ended', async () => {
    const { tally, outcomes } = tallyOf(['a', 'b', 'c']);
    tally.handle('file', ['a']);
    tally.handle('passed', []);
    tally.handle('file', ['b']);
    tally.handle('passed', []);
    await tally.ended(60, [Promise.resolve('the page crashed')]);
    assert.deepEqual(outcomes(), {
      a: { passed: 1, failed: 0, failures: [] },
      b: { passed: 1, failed: 1, failures: ['the page crashed'] },
      c: { passed: 0, failed: 1, failures: ['it was not reached: the page crashed'] },
    });
  });

  it('fails every file when VS Code does not come up', () => {
    const { tally, outcomes } = tallyOf(['a', 'b']);
    tally.abort('code-server could not be started');
    assert.deepEqual(outcomes().a, { passed: 0, failed: 1, failures: ['code-server could not be started'] });
    assert.deepEqual(outcomes().b, outcomes().a);
  });

  it('fails a file that is silent too long, and not one that goes on talking', async () => {
    const { tally, outcomes } = tallyOf(['a']);
    tally.handle('file', ['a']);
    await tally.ended(0.01, []);
    assert.deepEqual(outcomes().a, { passed: 0, failed: 1, failures: ['nothing was heard of it for 0.01 s'] });
  });

  it('keeps where the evidence of failures is, and how long starting took', async () => {
    const { tally } = tallyOf(['a']);
    tally.handle('file', ['a']);
    tally.handle('startup', [40]);
    tally.handle('startup', [2]);
    tally.handle('evidence', ['out/failures/a']);
    tally.handle('passed', []);
    tally.handle('end', []);
    await tally.ended(60, []);
    assert.deepEqual(tally.outcomes.get('a')?.startup, 42);
    assert.deepEqual(tally.outcomes.get('a')?.evidence, ['out/failures/a']);
  });

  it('hands calls to the page on', () => {
    assert.deepEqual(tallyOf(['a']).tally.handle('page', ['click', '.x']), ['click', ['.x']]);
  });
});
