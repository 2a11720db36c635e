import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runInCodeServer } from '../runInHost.mjs';
import { readContext } from './workbench';

describe('the runner of tests inside the extension host', () => {
  const { extension, runtime, chromium, entry } = readContext();
  const folder = mkdtempSync(path.join(path.dirname(extension), 'runner-'));

  const began = performance.now();

  after(() => rmSync(folder, { recursive: true, force: true }));

  async function runFiles(codes: Readonly<Record<string, string>>, silence?: number) {
    const files = Object.entries(codes).map(([name, code]) => ({ name, file: path.join(folder, `${name}.mjs`), code }));
    for (const { file, code } of files) {
      writeFileSync(file, code);
    }
    let output = '';
    const suite = {
      ...{
        files,
        entry,
        extension,
        evidence: path.join(folder, files[0]?.name ?? ''),
        grep: '',
        ...(silence === undefined ? {} : { silence }),
      },
      print: (text: string) => {
        output += text;
      },
    };
    return { outcomes: Object.fromEntries(await runInCodeServer(suite, runtime, chromium)), output };
  }

  const pass = "it('passes', () => {});";

  it('shows the console, and counts what passed and failed of each file until the extension host dies', async () => {
    const { outcomes, output } = await runFiles({
      mixed: `${pass} it('fails', () => { console.log('seen', 1); throw new Error('on purpose'); }); it('is pending');`,
      empty: '',
      broken: "import './nowhere.mjs';",
      dying: `${pass} it('dies', () => process.abort());`,
      late: pass,
    });
    assert.deepEqual([outcomes.mixed?.passed, outcomes.mixed?.failed], [1, 2]);
    assert.deepEqual(outcomes.mixed?.failures, ['fails: on purpose', 'is pending: pending']);
    assert.match(output, /seen 1\n/);
    assert.match(output, /on purpose/);
    const [evidence = ''] = outcomes.mixed?.evidence ?? [];
    assert.ok(readdirSync(evidence).includes('failure-1.png'), 'a picture of the moment');
    assert.deepEqual(outcomes.empty?.failures, ['it ran no test']);
    assert.deepEqual([outcomes.broken?.passed, outcomes.broken?.failed], [0, 1]);
    assert.match(outcomes.broken?.failures[0] ?? '', /could not be loaded.*nowhere/);
    assert.deepEqual([outcomes.dying?.passed, outcomes.dying?.failed], [1, 1]);
    assert.match(outcomes.dying?.failures[0] ?? '', /the extension host ended/);
    assert.deepEqual([outcomes.late?.passed, outcomes.late?.failed], [0, 1]);
    assert.match(outcomes.late?.failures[0] ?? '', /was not reached/);
  });

  it('fails a file that hangs without yielding', async () => {
    // As long as all of the test before, its start of VS Code included: the slower the machine, the longer.
    const silence = Math.ceil((performance.now() - began) / 1000);
    const hang = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';
    const { outcomes, output } = await runFiles({ hanging: `${pass} it('hangs', () => { ${hang}; });` }, silence);
    const why = `nothing was heard of it for ${silence} s`;
    assert.deepEqual([outcomes.hanging?.passed, outcomes.hanging?.failures], [1, [why]]);
    assert.ok(output.includes(why));
  });
});
