// @ts-check
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Inputs of the build: the sources, its scripts, and the lock file. */
const sources = ['src', 'esbuild.mjs', 'package.json', 'node_modules/.package-lock.json'];

/**
 * Builds the extension into `dist`, unless the existing build is from the current sources.
 * @param {string} root the project
 * @param {() => Promise<void>} build
 * @returns {Promise<boolean>} whether it was built
 */
export async function buildWhenStale(root, build) {
  const stamp = path.join(root, 'out/npmStart.json');
  const before = fingerprint(root, sources);
  if (readStamp(stamp) === JSON.stringify([before, fingerprint(root, ['dist'])])) {
    return false;
  }
  await build();
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, JSON.stringify([before, fingerprint(root, ['dist'])]));
  return true;
}

/**
 * Returns a fingerprint of files by their names, sizes and times.
 * @param {string} root
 * @param {readonly string[]} names files and folders
 */
export function fingerprint(root, names) {
  const hash = createHash('sha256');
  for (const name of names) {
    for (const file of filesOf(root, name)) {
      const { size, mtimeMs } = statSync(path.join(root, file));
      hash.update(`${file}\0${size}\0${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} name
 * @returns {string[]}
 */
function filesOf(root, name) {
  const found = statSync(path.join(root, name), { throwIfNoEntry: false });
  if (found === undefined) {
    return [];
  }
  const entries = found.isDirectory() ? readdirSync(path.join(root, name)).sort() : undefined;
  return entries === undefined ? [name] : entries.flatMap(entry => filesOf(root, `${name}/${entry}`));
}

/** @param {string} stamp */
function readStamp(stamp) {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return '';
  }
}
