// @ts-check
// Installs packages from npm that tests need in addition to node_modules.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onExit } from '../helpers/onExit.mjs';
import { startGroup } from '../helpers/processGroup.mjs';

/** Folder of all downloads for tests, in the project's folder. Git ignores it. */
export const downloads = path.resolve('.vscode-test');

const npmCli = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : undefined;

/**
 * Packages that are installed into a folder of their own, once.
 * @typedef {object} Installation
 * @property {string} folder
 * @property {string} title name in messages, with the size of the download
 * @property {Readonly<Record<string, string>>} packages versions by name
 * @property {(folder: string) => Promise<object>} finish completes the installation; returns data to store with it
 * @property {string} otherwise advice if the installation fails
 */

/**
 * Returns whether packages are installed completely.
 * @param {string} folder
 */
export function isInstalled(folder) {
  return existsSync(stampOf(folder));
}

/**
 * Installs packages unless they are installed already. Several processes can call this at once. Installs into a partial folder first, so
 * that an incomplete installation is never used. Throws an error with advice if the installation fails.
 * @param {Installation} installation
 * @param {(line: string) => void} log
 * @returns {Promise<any>} result of `finish`
 */
export async function ensureInstalled(installation, log) {
  const { folder } = installation;
  const partial = `${folder}.partial`;
  mkdirSync(path.dirname(folder), { recursive: true });
  for (let isWaiting = false; !isInstalled(folder); ) {
    if (take(partial)) {
      const clean = () => rmSync(partial, { recursive: true, force: true });
      const forget = onExit(clean);
      try {
        // Another process may have finished just before.
        if (!isInstalled(folder)) {
          await install(installation, partial, log);
        }
      } finally {
        forget();
        clean();
      }
    } else {
      if (!isWaiting) {
        log(`Another run is installing ${path.basename(folder)}; waiting for it.`);
      }
      isWaiting = true;
      await wait(500);
    }
  }
  return JSON.parse(readFileSync(stampOf(folder), 'utf8'));
}

/**
 * @param {Installation} installation
 * @param {string} partial
 * @param {(line: string) => void} log
 */
async function install({ folder, title, packages, finish, otherwise }, partial, log) {
  log(`Installing ${title} from npm into ${path.relative(process.cwd(), folder)}, once`);
  try {
    writeFileSync(path.join(partial, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
    await npmInstall(['--no-package-lock'], partial);
    writeFileSync(stampOf(partial), JSON.stringify(await finish(partial)));
    rmSync(path.join(partial, 'owner'));
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new Error(`${title} could not be installed. Check that npm reaches its registry (npm ping), or ${otherwise}.\n${why}`, {
      cause: error,
    });
  }
}

/**
 * Installs the dependencies of a folder without any scripts of packages.
 * @param {readonly string[]} args
 * @param {string} folder
 */
export async function npmInstall(args, folder) {
  const [command, first] = npmCli === undefined ? ['npm', []] : [process.execPath, [npmCli]];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--update-notifier=false', '--engine-strict=false'];
  await run(command, [...first, 'install', ...args, ...quiet], folder);
}

/**
 * Runs a program quietly. If its exit code is not 0, rejects with its last lines of output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env] additional variables
 * @returns {Promise<string>} output of the program
 */
export function run(command, args, cwd, env) {
  return new Promise((resolve, reject) => {
    const shell = process.platform === 'win32' && command === 'npm';
    const child = startGroup(command, args, { cwd, env: { ...process.env, ...env }, shell });
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
 * Creates a folder as a lock. Takes over the lock of a process that has ended.
 * @param {string} folder
 */
function take(folder) {
  const owner = path.join(folder, 'owner');
  try {
    mkdirSync(folder);
    writeFileSync(owner, String(process.pid));
    return true;
  } catch {
    try {
      process.kill(Number(readFileSync(owner, 'utf8')), 0);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ESRCH') {
        rmSync(folder, { recursive: true, force: true });
      }
    }
    return false;
  }
}

/** @param {string} folder */
function stampOf(folder) {
  return path.join(folder, 'installed.json');
}
