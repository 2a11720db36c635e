// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * What became of one test file of a kind.
 * @typedef {import('./tally.mjs').Outcome & { readonly kind: string, readonly name: string }} FileOutcome
 */

const seconds = (/** @type {number} */ milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * One line for a file that has ended.
 * @param {FileOutcome} outcome
 */
export function toFileLine({ kind, name, passed, failed, milliseconds }) {
  const count = failed === 0 ? `${passed} passed` : `${passed} passed, ${failed} FAILED`;
  return `${failed === 0 ? '✔' : '✘'} ${kind}/${name}  ${count}, ${seconds(milliseconds)}`;
}

/**
 * Where the time went: each kind with its start-up and its work, and the slowest files.
 * @param {readonly FileOutcome[]} outcomes
 * @param {number} milliseconds of the whole run
 * @param {{ readonly workers: number, readonly besides: number }} count of `runTasks`
 * @returns {string[]} lines
 */
export function toTimes(outcomes, milliseconds, { workers, besides }) {
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))];
  const sum = (/** @type {readonly number[]} */ numbers) => numbers.reduce((a, b) => a + b, 0);
  const slowest = [...outcomes].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 10);
  return [
    `Where the time went: ${seconds(milliseconds)}, ${workers} side by side${besides === 0 ? '' : `, and ${besides} more of what waits`}`,
    ...kinds.map(kind => {
      const files = outcomes.filter(outcome => outcome.kind === kind);
      const all = sum(files.map(outcome => outcome.milliseconds));
      const startup = sum(files.map(outcome => outcome.startup));
      const parts = startup === 0 ? '' : `: starting VS Code ${seconds(startup)}, work ${seconds(all - startup)}`;
      return `  ${seconds(all).padStart(9)}  ${kind}, ${files.length} ${files.length === 1 ? 'file' : 'files'}${parts}`;
    }),
    'The slowest files:',
    ...slowest.map(({ kind, name, milliseconds: all }) => `  ${seconds(all).padStart(9)}  ${kind}/${name}`),
  ];
}

/**
 * What failed, where its picture and logs are, and how to see it again; nothing when nothing failed.
 * @param {readonly FileOutcome[]} outcomes
 * @returns {string[]} lines
 */
export function toFailures(outcomes) {
  return outcomes
    .filter(({ failed }) => failed > 0)
    .flatMap(({ kind, name, failures, evidence }) => [
      `FAILED ${kind}/${name}`,
      ...failures.map(failure => `    ${failure}`),
      ...evidence.flatMap(folder => [`    picture and logs: ${folder}`, ...seenThen(folder).map(line => `      ${line}`)]),
      `    to see it again: node test/run.mjs ${kind} --only ${toArgument(name.replace(/\.test\.ts$/, ''))}`,
    ]);
}

/**
 * As one argument on a command line.
 * @param {string} name
 */
function toArgument(name) {
  return name.includes(' ') ? `"${name}"` : name;
}

/**
 * What could be read on the page at that moment: a picture on another machine tells nobody anything.
 * @param {string} folder
 */
function seenThen(folder) {
  const file = path.join(folder, 'seen.txt');
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => line !== '')
    : [];
}
