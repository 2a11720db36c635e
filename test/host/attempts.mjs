// @ts-check

/**
 * What running one test file gave.
 * @typedef {{ passed: number, failed: number, failures: readonly string[] }} Outcome `failures` says of each failed test its name and why, one line each
 */

/**
 * What a test file gave in the end.
 * @typedef {Outcome & { name: string, first?: Outcome }} FileOutcome `first` is there when it took a second attempt
 */

/**
 * Runs a test file, and once more when anything in it failed: a real VS Code on a busy machine does not always do what it is
 * told. What counts is the last attempt.
 * @param {string} name
 * @param {(attempt: 1 | 2) => Promise<Outcome>} run in a fresh VS Code
 * @param {Outcome} [first] what the first attempt gave, where it has been made already
 * @returns {Promise<FileOutcome>}
 */
export async function runUpToTwice(name, run, first) {
  const once = first ?? (await run(1));
  return once.failed === 0 ? { name, ...once } : { name, ...(await run(2)), first: once };
}

/**
 * Says which files needed a second attempt, and what failed at the first and at the last; nothing when none did.
 * @param {readonly FileOutcome[]} outcomes
 * @returns {string[]} lines
 */
export function toAttemptsSummary(outcomes) {
  const saved = outcomes.filter(({ first, failed }) => first !== undefined && failed === 0);
  const lost = outcomes.filter(({ failed }) => failed > 0);
  return [
    ...(saved.length === 0 ? [] : ['Passed only at the second attempt; what failed at the first:']),
    ...saved.flatMap(({ name, first }) => [`  ${name}`, ...(first?.failures ?? []).map(failure => `    ${failure}`)]),
    ...(lost.length === 0 ? [] : ['Failed twice; what failed at the second attempt:']),
    ...lost.flatMap(({ name, failures }) => [`  ${name}`, ...failures.map(failure => `    ${failure}`)]),
  ];
}
