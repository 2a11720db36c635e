import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toFailures, toFileLine, toTimes } from '../../runner/summary.mjs';

const good = { kind: 'unit', name: 'a.test.ts', passed: 3, failed: 0, failures: [], evidence: [], milliseconds: 1500, startup: 0 };
const bad = {
  ...{ kind: 'host', name: 'workbench/view.test.ts', passed: 2, failed: 1, milliseconds: 60_000, startup: 4000 },
  ...{ failures: ['a view shows rows: Timeout'], evidence: ['out/failures/view'] },
};

describe('project/summary', () => {
  it('has a line for each file', () => {
    assert.equal(toFileLine(good), '✔ unit/a.test.ts  3 passed, 1.5 s');
    assert.equal(toFileLine(bad), '✘ host/workbench/view.test.ts  2 passed, 1 FAILED, 60.0 s');
  });

  it('says where the time went: kinds, starting VS Code apart from work, and the slowest files first', () => {
    assert.deepEqual(toTimes([good, bad], 45_000, { workers: 2, besides: 1 }), [
      'Where the time went: 45.0 s, 2 side by side, and 1 more of what waits',
      '      1.5 s  unit, 1 file',
      '     60.0 s  host, 1 file: starting VS Code 4.0 s, work 56.0 s',
      'The slowest files:',
      '     60.0 s  host/workbench/view.test.ts',
      '      1.5 s  unit/a.test.ts',
    ]);
  });

  it('says of a failure what, where its picture and logs are, and how to see it again', () => {
    assert.deepEqual(toFailures([good]), []);
    assert.deepEqual(toFailures([good, bad]), [
      'FAILED host/workbench/view.test.ts',
      '    a view shows rows: Timeout',
      '    picture and logs: out/failures/view',
      '    to see it again: node test/run.mjs host --only workbench/view',
    ]);
    const ofWords = { ...bad, kind: 'static', name: 'lint and format' };
    assert.equal(toFailures([ofWords]).at(-1), '    to see it again: node test/run.mjs static --only "lint and format"');
  });

  it('says what could be read on the page, for whoever cannot look at the picture', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'evidence-'));
    try {
      writeFileSync(path.join(folder, 'seen.txt'), 'row: Sleeper\ntoast: Hourly');
      const lines = toFailures([{ ...bad, evidence: [folder] }]);
      assert.deepEqual(lines.slice(-3, -1), ['      row: Sleeper', '      toast: Hourly']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
