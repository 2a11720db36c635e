// @ts-check
// Installs a VS Code from npm: code-server (the workbench and a real Node extension host) and the Node version that it needs.
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { downloads, ensureInstalled, isInstalled, npmInstall, run } from './npmInstall.mjs';

/**
 * The two VS Code releases that tests run on, each with its code-server and Node. `floor` is the oldest release that `engines.vscode`
 * allows. Its code-server has no binaries of argon2 and ripgrep, which `binaries` provides.
 * @type {Readonly<Record<'newest' | 'floor', { codeServer: string, vscode: string, node: string, binaries: Record<string, string> }>>}
 */
export const pairs = {
  newest: { codeServer: '4.139.1', vscode: '1.139.1', node: '24.21.0', binaries: {} },
  floor: {
    codeServer: '4.105.1',
    vscode: '1.105.1',
    node: '22.23.3',
    binaries: { argon2: '0.44.0', '@vscode/ripgrep-universal': '1.18.0' },
  },
};

const platform = `${process.platform}-${process.arch}`;
/** npm package with a Node for this machine. On other machines, the current Node must have the right major version. */
const nodePackage = ['linux-x64', 'linux-arm64'].includes(platform) ? `node-${platform}` : undefined;

/** @typedef {{ folder: string, node: string, entry: string, vscode: string }} Runtime */

/**
 * Returns the code-server of a pair. Installs it from npm if it is missing, in about half a minute. Throws an error with advice if this
 * machine can't run it.
 * @param {keyof typeof pairs} name
 * @param {(line: string) => void} log
 * @returns {Promise<Runtime>}
 */
export async function ensureRuntime(name, log) {
  const { codeServer, vscode, node, binaries } = pairs[name];
  const folder = folderOf(name);
  const otherwise = 'install VS Code and set VSCODE_PATH to its executable';
  if (!isInstalled(folder) && !canHaveRuntime(name)) {
    throw new Error(
      `code-server ${codeServer} cannot be installed from npm on ${platform} with Node ${process.versions.node}: ${otherwise}` +
        `${process.platform === 'win32' ? '' : `, or run this with Node ${majorOf(node)}`}.`,
    );
  }
  const title = `VS Code ${vscode} (code-server ${codeServer}, some 250 MB to download and 750 MB unpacked)`;
  const packages = { 'code-server': codeServer, ...binaries, ...(nodePackage && { [nodePackage]: node }) };
  await ensureInstalled({ folder, title, packages, finish, otherwise }, log);
  return { ...executables(folder), folder, vscode };
}

/**
 * Returns whether npm can install the code-server of a pair on this machine.
 * @param {keyof typeof pairs} name
 */
export function canHaveRuntime(name) {
  return process.platform !== 'win32' && (nodePackage !== undefined || majorOf(process.versions.node) === majorOf(pairs[name].node));
}

/**
 * Returns whether the code-server of a pair is installed already.
 * @param {keyof typeof pairs} name
 */
export function isRuntimeHere(name) {
  return isInstalled(folderOf(name));
}

/** @param {string} version */
function majorOf(version) {
  return version.split('.')[0];
}

/** @param {keyof typeof pairs} name */
function folderOf(name) {
  return path.join(downloads, `code-server-${pairs[name].codeServer}`);
}

/** @param {string} folder */
function executables(folder) {
  const modules = path.join(folder, 'node_modules');
  return {
    node: nodePackage === undefined ? process.execPath : path.join(modules, nodePackage, 'bin/node'),
    entry: path.join(modules, 'code-server/out/node/entry.js'),
  };
}

/**
 * Adds files that code-server from npm lacks, and deletes files that aren't needed.
 * @param {string} folder
 */
async function finish(folder) {
  const modules = path.join(folder, 'node_modules');
  const editor = path.join(modules, 'code-server/lib/vscode');
  const inEditor = (/** @type {string} */ name) => path.join(editor, 'node_modules', name);
  rmSync(path.join(modules, 'code-server/node_modules/argon2'), { recursive: true, force: true });
  takeWatcherFromRegistry(editor);
  // VS Code's package has a lock file but no modules. `npm ci` would fail, because the lock file lacks a required package.
  await npmInstall(['--omit=dev'], editor);
  const universal = path.join(modules, '@vscode/ripgrep-universal');
  if (existsSync(universal)) {
    mkdirSync(inEditor('@vscode/ripgrep/bin'), { recursive: true });
    cpSync(path.join(universal, 'bin', platform, 'rg'), inEditor('@vscode/ripgrep/bin/rg'));
    chmodSync(inEditor('@vscode/ripgrep/bin/rg'), 0o755);
    rmSync(universal, { recursive: true, force: true });
  }
  // The package has only the C++ source of the log writer, so a stub replaces it.
  copyFileSync('test/host/spdlog.cjs', inEditor('@vscode/spdlog/index.js'));
  // The workbench loads this built-in extension, but the package lacks its file. Without a stub, an error would be shown.
  const stub = path.join(editor, 'extensions/github-authentication/dist/browser/extension.js');
  if (!existsSync(stub)) {
    mkdirSync(path.dirname(stub), { recursive: true });
    writeFileSync(stub, 'exports.activate = () => {};\n');
  }
  for (const name of ['extensions/copilot', 'node_modules/@github', 'node_modules/@microsoft/mxc-sdk']) {
    rmSync(path.join(editor, name), { recursive: true, force: true });
  }
  for (const file of readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.map'))) {
    rmSync(path.join(modules, file));
  }
  const { node, entry } = executables(folder);
  const home = path.join(folder, 'home');
  const isolated = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
  await run(node, [entry, '--version', '--config', '/dev/null'], folder, isolated);
  rmSync(home, { recursive: true, force: true });
  return {};
}

/**
 * Replaces the file watcher in the lock file by the registry's release. VS Code 1.105 locks it to a Git commit.
 * @param {string} editor
 */
function takeWatcherFromRegistry(editor) {
  const name = 'node_modules/@parcel/watcher';
  const lockFile = path.join(editor, 'npm-shrinkwrap.json');
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
  if (!String(lock.packages[name]?.resolved).startsWith('git')) {
    return;
  }
  delete lock.packages[name];
  writeFileSync(lockFile, JSON.stringify(lock));
  const manifestFile = path.join(editor, 'package.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  manifest.dependencies['@parcel/watcher'] = '2.5.1';
  writeFileSync(manifestFile, JSON.stringify(manifest));
}
