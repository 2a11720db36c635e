// @ts-check
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onExit } from '../helpers/onExit.mjs';
import { startGroup } from '../helpers/processGroup.mjs';

const npmCli = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : undefined;

/**
 * Runs npm in a folder without any scripts of packages. Resolves if it succeeded, and rejects with its last lines of output otherwise.
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<void>}
 */
export async function npm(args, { cwd, env = {} }) {
  const [command, first] = npmCli === undefined ? ['npm', []] : [process.execPath, [npmCli]];
  await run(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd, env });
}

/**
 * Runs a program quietly. If it exits with another code than 0, rejects with its last lines of output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<string>} what it printed
 */
export function run(command, args, { cwd, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = startGroup(command, args, {
      cwd,
      env: { ...process.env, npm_config_update_notifier: 'false', ...env },
      shell: process.platform === 'win32' && command === 'npm',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) {
        resolve(output);
      } else {
        const tail = output.trim().split('\n').slice(-15).join('\n');
        reject(new Error(`${path.basename(command)} ${args.slice(0, 3).join(' ')} ended with ${signal ?? `code ${code}`}:\n${tail}`));
      }
    });
  });
}

/**
 * Runs `work` for a folder in one process at a time; others wait. Takes over the lock of a process that is gone.
 * @template T
 * @param {string} folder
 * @param {(line: string) => void} log
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(folder, log, work) {
  const lock = `${folder}.lock`;
  mkdirSync(path.dirname(folder), { recursive: true });
  for (let told = false; !take(lock); told = true) {
    if (!told) {
      log(`Another run is installing ${path.basename(folder)}; waiting for it.`);
    }
    await wait(500);
  }
  const forget = onExit(() => rmSync(lock, { force: true }));
  try {
    removePartial(folder);
    return await work();
  } finally {
    removePartial(folder);
    forget();
    rmSync(lock, { force: true });
  }
}

/**
 * Returns a folder to install into before it is renamed. Only for the owner of the lock.
 * @param {string} folder
 */
export function partialOf(folder) {
  return `${folder}.partial`;
}

/** @param {string} folder */
function removePartial(folder) {
  rmSync(partialOf(folder), { recursive: true, force: true });
}

/** @param {string} lock */
function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (ownerIsGone(lock)) {
      rmSync(lock, { force: true });
    }
    return false;
  }
}

/** @param {string} lock */
function ownerIsGone(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
