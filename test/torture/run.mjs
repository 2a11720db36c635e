// @ts-check
// `npm run torture [-- rounds [seed]]`: runs many rounds with random failures. Prints the seed. 200 rounds take some minutes.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

const [rounds = '200', seed = String(randomInt(1_000_000))] = process.argv.slice(2);
console.log(`${rounds} rounds from seed ${seed}`);
const env = { ...process.env, TORTURE_ROUNDS: rounds, TORTURE_SEED: seed };
const { status } = spawnSync(process.execPath, ['test/run.mjs', 'contract', '--only', 'batches/torture'], { env, stdio: 'inherit' });
process.exitCode = status ?? 1;
