// Prints a random sample of comments with file and line: node test/lint/sampleComments.mjs [COUNT [SEED [FOLDER...]]]
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listComments } from './comments.mjs';

const [count = '100', seed = '1', ...folders] = process.argv.slice(2);
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
function randomOf(start) {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const comments = listComments(root, folders.length === 0 ? undefined : folders);
const random = randomOf(Number(seed));
const chosen = comments
  .map(comment => ({ comment, at: random() }))
  .sort((a, b) => a.at - b.at)
  .slice(0, Number(count));
for (const { comment } of chosen) {
  console.log(`${comment.file}:${comment.line}\n    ${comment.text}`);
}
