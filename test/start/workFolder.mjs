// @ts-check
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the folder in which `npm start` keeps the user's files: the system's standard place for user data, or
 * MANAGED_AGENTS_START_FOLDER.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @param {string} home
 */
export function toWorkFolder(env, platform, home) {
  const named = env.MANAGED_AGENTS_START_FOLDER ?? '';
  if (named !== '') {
    return path.resolve(named);
  }
  const isSet = (/** @type {string | undefined} */ folder) => folder !== undefined && path.isAbsolute(folder);
  const places = {
    darwin: path.join(home, 'Library/Application Support'),
    win32: isSet(env.LOCALAPPDATA) ? env.LOCALAPPDATA : path.join(home, 'AppData/Local'),
  };
  const xdg = isSet(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : path.join(home, '.local/share');
  return path.join((platform === 'darwin' || platform === 'win32' ? places[platform] : xdg) ?? '', 'managed-agents-vscode');
}

/**
 * Data that is stored from one start to the next.
 * @typedef {object} StartMemory
 * @property {Record<string, string>} laid hashes of the files that were created for the user, by path in the folder
 * @property {string} token secret that gives a browser access
 * @property {number} [port] port of the last start, because a browser stores open editors by address
 */

/**
 * Result of creating or updating the user's files in the work folder.
 * @typedef {object} Laying
 * @property {readonly string[]} written files to write, new or updated
 * @property {readonly string[]} kept files that stay because the user changed them, although there is a newer version
 * @property {Record<string, string>} laid hashes to store for the next start
 */

/**
 * Returns the files to write: missing files, and files that the user hasn't changed since they were written.
 * @param {Readonly<Record<string, string>>} ours hashes of the current versions, by path
 * @param {Readonly<Record<string, string>>} laid hashes of the files that earlier starts have written
 * @param {Readonly<Record<string, string | undefined>>} present hashes of the files in the folder
 * @returns {Laying}
 */
export function toLaying(ours, laid, present) {
  const names = Object.keys(ours);
  const isChanged = (/** @type {string} */ name) =>
    present[name] !== undefined && present[name] !== laid[name] && present[name] !== ours[name];
  const kept = names.filter(name => isChanged(name) && ours[name] !== laid[name]);
  return {
    written: names.filter(name => !isChanged(name) && present[name] !== ours[name]),
    kept,
    laid: { ...laid, ...Object.fromEntries(names.filter(name => !isChanged(name)).map(name => [name, ours[name] ?? ''])) },
  };
}

/**
 * Copies files to a folder in which the user may change them.
 * @param {string} folder
 * @param {Readonly<Record<string, string | Uint8Array>>} files contents by path
 * @param {Readonly<Record<string, string>>} laidBefore
 */
export function layFiles(folder, files, laidBefore) {
  const present = Object.keys(files).map(name => [name, hashOfFile(path.join(folder, name))]);
  const ours = Object.entries(files).map(([name, contents]) => [name, hashOf(contents)]);
  const laying = toLaying(Object.fromEntries(ours), laidBefore, Object.fromEntries(present));
  for (const name of laying.written) {
    writeWhole(path.join(folder, name), files[name] ?? '');
  }
  return laying;
}

/**
 * Returns the files of a folder, by their path below `prefix`.
 * @param {string} folder
 * @param {string} prefix
 */
export function readFiles(folder, prefix) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isFile());
  return Object.fromEntries(entries.map(({ name }) => [`${prefix}/${name}`, readFileSync(path.join(folder, name))]));
}

/**
 * @param {string} folder
 * @returns {StartMemory}
 */
export function readMemory(folder) {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'start.json'), 'utf8'));
  } catch {
    return { laid: {}, token: randomBytes(16).toString('hex') };
  }
}

/**
 * @param {string} folder
 * @param {StartMemory} memory
 */
export function writeMemory(folder, memory) {
  writeWhole(path.join(folder, 'start.json'), `${JSON.stringify(memory, null, 2)}\n`);
}

/**
 * Writes a file, completely or not at all, that only its owner can read.
 * @param {string} file
 * @param {string | Uint8Array} contents
 */
function writeWhole(file, contents) {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, contents, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** @param {string} file */
function hashOfFile(file) {
  return existsSync(file) ? hashOf(readFileSync(file)) : undefined;
}

/** @param {string | Uint8Array} contents */
function hashOf(contents) {
  return createHash('sha256').update(contents).digest('hex');
}
