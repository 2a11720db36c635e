import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import { createJsonlJobs } from '../../../src/jsonl/jobs/jobs';
import { runs } from '../../helpers/runs';
import { playFetchRound } from '../../torture/fetchRound';
import { fetchPlans, submitPlans } from '../../torture/plan';
import { playRound } from '../../torture/submitRound';

// Not bundled, because its plugins find the project relative to the module's own path.
const { nodeOptions } = (await import(pathToFileURL('esbuild.mjs').href)) as typeof import('../../../esbuild.mjs');

const asked = process.env.TORTURE_ROUNDS;
const seed = Number(process.env.TORTURE_SEED ?? 1);
/**
 * Maximum suspension of a window, in milliseconds. A window loses a lock after five seconds of silence, and its submission after twenty.
 */
const longestStill = asked === undefined ? 2000 : 25_000;
const sideBySide = 4;
const maxInTest = 40;
/** Minimum number of rounds in which every wanted outcome occurs. */
const enough = 8;
const [most, few] = [Number(asked ?? 40), Number(asked ?? enough)];

// Suspending processes, and detecting that, needs Linux.
const describeOnLinux = process.platform === 'linux' ? describe : () => {};

describeOnLinux('src/features/batches in windows that die, stand still, cannot write and are lied to @nightly', () => {
  const threadFile = path.join(process.env.TEST_BUILD ?? '', 'jsonlThread.js');
  let folder: string;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'torture-script-'));
    const entryPoints = ['submitWindow', 'fetchWindow'].map(name => path.join('test', 'torture', `${name}.ts`));
    const alias = { vscode: path.resolve('test/helpers/vscode.ts') };
    await build({ ...nodeOptions, alias, entryPoints, outdir: folder, sourcemap: false, logLevel: 'warning' });
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the rounds and counts the words that `play` returns. Fails if a word of `wanted` never occurs. */
  async function playAll<Plan>(
    first: number,
    plans: readonly Plan[],
    wanted: readonly string[],
    play: (plan: Plan) => Promise<readonly string[]>,
  ) {
    const left = plans.map((plan, index) => ({ plan, number: first + index }));
    const told = new Map<string, number>();
    const next = async (): Promise<void> => {
      for (let round = left.shift(); round !== undefined; round = left.shift()) {
        try {
          for (const word of await play(round.plan)) {
            told.set(word, (told.get(word) ?? 0) + 1);
          }
        } catch (cause) {
          throw new Error(`Round ${round.number} of seed ${seed}: ${(cause as Error).message}\n${JSON.stringify(round.plan)}`, { cause });
        }
      }
    };
    await Promise.all(Array.from({ length: sideBySide }, next));
    assert.deepEqual(plans.length < enough ? [] : wanted.filter(word => !told.has(word)), [], 'what never happened');
    if (asked !== undefined) {
      console.log(Object.fromEntries([...told].sort()));
    }
  }

  for (const [first, plans] of inTests(fc.sample(submitPlans(longestStill), { numRuns: runs(most, few), seed }))) {
    it(`submits nothing twice, loses no batch and sends the file's content, from round ${first} on`, async () => {
      const tools = { script: path.join(folder, 'submitWindow.js'), threadFile, jobs: createJsonlJobs({ threadFile }) };
      await playAll(first, plans, ['created', 'conflict', 'killed', 'ledger: unknown', 'copy: conflict'], async plan => {
        const { ends, states, batches } = await playRound(plan, tools);
        return [...ends, ...states.map(state => `ledger: ${state}`), `batches: ${batches}`];
      });
    });
  }

  for (const [first, plans] of inTests(fc.sample(fetchPlans(longestStill), { numRuns: runs(most, few), seed }))) {
    it(`overwrites no user file with results, and leaves no partial results, from round ${first} on`, async () => {
      const tools = { script: path.join(folder, 'fetchWindow.js'), threadFile };
      await playAll(first, plans, ['fetched', 'killed', 'answered wrongly'], plan => playFetchRound(plan, tools));
    });
  }
});

/** Splits the rounds into equal parts, each short enough for one test. Each part has the index of its first round. */
function inTests<Plan>(plans: readonly Plan[]): readonly (readonly [first: number, plans: readonly Plan[]])[] {
  const size = Math.ceil(plans.length / Math.ceil(plans.length / maxInTest));
  const firsts = plans.map((_, index) => index).filter(index => index % size === 0);
  return firsts.map(first => [first, plans.slice(first, first + size)]);
}
