import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import { createJsonlJobs } from '../../../src/jsonl/jobsHost';
import { runs } from '../../helpers/runs';
import { plans } from '../../torture/plan';
import { playRound, type RoundTools } from '../../torture/submitRound';

// Loaded from its own place, not bundled: its plugins find the project beside themselves.
const { nodeOptions } = (await import(pathToFileURL('esbuild.mjs').href)) as typeof import('../../../esbuild.mjs');

const asked = process.env.TORTURE_ROUNDS;
const seed = Number(process.env.TORTURE_SEED ?? 1);
/** Milliseconds; five seconds of silence lose a lock, twenty what is being sent. */
const longestStill = asked === undefined ? 2000 : 25_000;

// Stopping processes and seeing that they are needs Linux.
const describeOnLinux = process.platform === 'linux' ? describe : () => {};

describeOnLinux('src/features/batches in windows that die, stand still, cannot write and are lied to', () => {
  const threadFile = path.join(process.env.TEST_BUILD ?? '', 'jsonlThread.js');
  let folder: string;
  let tools: RoundTools;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'torture-script-'));
    await build({
      ...nodeOptions,
      entryPoints: [path.join('test', 'torture', 'submitWindow.ts')],
      outdir: folder,
      sourcemap: false,
      logLevel: 'warning',
    });
    tools = { script: path.join(folder, 'submitWindow.js'), threadFile, jobs: createJsonlJobs({ threadFile }) };
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it(`keeps its promises in every round from seed ${seed}`, async () => {
    const left = fc
      .sample(plans(longestStill), { numRuns: runs(Number(asked ?? 40), Number(asked ?? 8)), seed })
      .map((plan, number) => ({ plan, number }));
    const told = new Map<string, number>();
    const next = async (): Promise<void> => {
      for (let round = left.shift(); round !== undefined; round = left.shift()) {
        try {
          const { ends, states, batches } = await playRound(round.plan, tools);
          for (const word of [...ends, ...states.map(state => `ledger: ${state}`), `batches: ${batches}`]) {
            told.set(word, (told.get(word) ?? 0) + 1);
          }
        } catch (cause) {
          throw new Error(`Round ${round.number} of seed ${seed}: ${(cause as Error).message}\n${JSON.stringify(round.plan)}`, { cause });
        }
      }
    };
    await Promise.all([next(), next(), next(), next()]);
    if (asked !== undefined) {
      console.log(Object.fromEntries([...told].sort()));
    }
  });
});
