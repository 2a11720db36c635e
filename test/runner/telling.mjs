// @ts-check
// What a process that runs test files tells the runner beside its results; where no runner listens, nothing happens.

/**
 * Tells of the folder with the picture and the logs of a failure.
 * @param {string} folder
 */
export function tellEvidence(folder) {
  tell('evidence', folder);
}

/**
 * Tells how much of this file's time went into starting what its tests use.
 * @param {number} milliseconds
 */
export function tellStartup(milliseconds) {
  tell('startup', milliseconds);
}

/**
 * Tells of a process group that was started, so that it ends also when this process is killed.
 * @param {number} leader
 */
export function tellGroupStarted(leader) {
  tell('groupStarted', leader);
}

/**
 * Tells that a process group has ended.
 * @param {number} leader
 */
export function tellGroupEnded(leader) {
  tell('groupEnded', leader);
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function tell(name, value) {
  process.send?.({ name, args: [value] });
}
