// @ts-check
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Percents after which it is told again. */
const step = 10;

/**
 * How far it is, where that is worth a line.
 * @param {number} done bytes
 * @param {number} total bytes, as they were when it was last looked up
 * @param {number} told percents that were told last
 * @returns {{ percents: number, words: string } | undefined}
 */
export function toProgress(done, total, told) {
  // A hundred is told by its end: the size of what comes can differ a little.
  const percents = Math.min(99, Math.floor((done / total) * 100));
  return percents < told + step ? undefined : { percents, words: `${percents} %, ${megabytes(done)} of about ${megabytes(total)}` };
}

/**
 * For people.
 * @param {number} bytes
 */
export function megabytes(bytes) {
  return `${Math.round(bytes / 1e6)} MB`;
}

/**
 * Tells how far a folder is filled while `work` fills it.
 * @template T
 * @param {string} folder
 * @param {number} total bytes it will hold at most
 * @param {(words: string) => void} say
 * @param {() => Promise<T>} work
 * @param {number} [pause] milliseconds from one look to the next, which takes a while itself where there are ten thousands of files
 * @returns {Promise<T>}
 */
export async function tellFilling(folder, total, say, work, pause = 2000) {
  const ended = new AbortController();
  const telling = (async () => {
    for (let told = 0; !ended.signal.aborted; ) {
      await wait(pause, undefined, { signal: ended.signal, ref: false });
      const progress = toProgress(await sizeOf(folder), total, told);
      if (progress !== undefined && !ended.signal.aborted) {
        told = progress.percents;
        say(progress.words);
      }
    }
  })().catch(() => undefined);
  try {
    return await work();
  } finally {
    ended.abort();
    await telling;
  }
}

/**
 * Bytes of all files in a folder that may be changing.
 * @param {string} folder
 * @returns {Promise<number>}
 */
export async function sizeOf(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let size = 0;
  for (const entry of entries) {
    const name = path.join(folder, entry.name);
    size += entry.isDirectory()
      ? await sizeOf(name)
      : await lstat(name).then(
          found => found.size,
          () => 0,
        );
  }
  return size;
}
