// @ts-check
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onExit } from './onExit.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** @typedef {import('../host/attempts.mjs').Outcome} Outcome */

/**
 * Runs built test files in a mocha of their own. A run that does not come to its end, or runs nothing, counts as one more failure.
 * @param {object} options
 * @param {string} options.name for messages
 * @param {readonly string[]} options.files
 * @param {string} options.countFile where it counts
 * @param {string} options.grep
 * @param {number} options.timeout milliseconds for one test
 * @param {number} options.seconds for all of it
 * @param {number} [options.retries] how often a test that failed is run again; each time is told
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {(text: string) => void} [options.print] absent shows it as it comes
 * @returns {Promise<Outcome>}
 */
export async function runMocha({ name, files, countFile, grep, timeout, seconds, retries = 0, env = {}, print }) {
  mkdirSync(path.dirname(countFile), { recursive: true });
  rmSync(countFile, { force: true });
  const args = [
    '--enable-source-maps',
    path.join(root, 'node_modules/mocha/bin/mocha.js'),
    ...['--reporter', path.join(root, 'test/helpers/countingReporter.mjs'), '--reporter-option', `output=${countFile}`],
    ...(grep === '' ? [] : ['--grep', grep]),
    ...['--retries', String(retries), '--timeout', String(timeout), ...files],
  ];
  const output = print === undefined ? 'inherit' : 'pipe';
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', output, output], env: { ...process.env, ...env } });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', text => print?.(text));
  }
  const forget = onExit(() => child.kill('SIGTERM'));
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGTERM');
    // A test that never yields hears no signal.
    setTimeout(() => child.kill('SIGKILL'), 5000).unref();
  }, seconds * 1000);
  const code = await new Promise(resolve => child.once('close', (status, signal) => resolve(status ?? signal)));
  clearTimeout(timer);
  forget();

  const { passed, failed, failures, isWhole } = readCount(countFile);
  const why = late
    ? `it did not end within ${seconds} s`
    : !isWhole || (code !== 0 && failed === 0)
      ? `it ended with ${code} before its end`
      : passed + failed === 0 && grep === ''
        ? 'it ran no test'
        : undefined;
  if (why === undefined) {
    return { passed, failed, failures };
  }
  (print ?? (text => process.stdout.write(text)))(`  FAILED ${name}: ${why}\n`);
  return { passed, failed: failed + 1, failures: [...failures, why] };
}

/** @param {string} file */
function readCount(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, failures: [], isWhole: false };
  }
}
