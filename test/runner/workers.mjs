// @ts-check
import { Lane } from './lane.mjs';

/** @typedef {import('./tally.mjs').Outcome} Outcome */
/** @typedef {(text: string) => void} Print */

/**
 * Something to run, with the name of its kind.
 * @typedef {object} Task
 * @property {string} kind
 * @property {string} name
 * @property {boolean} [waits] whether it waits now and then, so that the processors have time for another one
 * @property {(worker: Worker, print: Print) => Promise<ReadonlyMap<string, Outcome>>} run outcomes by the name of the file
 */

/** Does one task after another; keeps the process of a kind as long as tasks of that kind follow each other. */
export class Worker {
  /** @type {{ readonly kind: string, readonly lane: Lane } | undefined} */
  #current;

  /**
   * Runs a file in the process of its kind, or of whatever `kind` says, which is started where there is none.
   * @param {string} kind
   * @param {import('./lane.mjs').LaneStart} start
   * @param {Parameters<Lane['run']>[0]} file
   * @param {Print} print
   */
  async runFile(kind, start, file, print) {
    if (this.#current?.kind !== kind || !this.#current.lane.isAlive) {
      await this.rest();
      this.#current = { kind, lane: new Lane(start) };
    }
    return new Map([[file.name, await this.#current.lane.run(file, print)]]);
  }

  /** Ends the process that it keeps. */
  async rest() {
    const ended = this.#current;
    this.#current = undefined;
    await ended?.lane.end();
  }
}

/**
 * Runs tasks by so many workers side by side, in their order, and tells of each when it has ended. Those besides take only what waits.
 * @param {{ readonly workers: number, readonly besides: number }} count
 * @param {readonly Task[]} tasks
 * @param {(task: Task, outcomes: ReadonlyMap<string, Outcome>, printed: string) => void} onEnd
 */
export async function runTasks({ workers, besides }, tasks, onEnd) {
  const left = [...tasks];
  const next = (/** @type {boolean} */ isBeside) => {
    const at = isBeside ? left.findIndex(({ waits }) => waits === true) : 0;
    return at === -1 ? undefined : left.splice(at, 1)[0];
  };
  const usual = Math.max(1, Math.min(workers, tasks.length));
  await Promise.all(
    Array.from({ length: usual + besides }, async (_, index) => {
      const worker = new Worker();
      const isBeside = index >= usual;
      for (let task = next(isBeside); task !== undefined; task = next(isBeside)) {
        let printed = '';
        const outcomes = await task
          .run(worker, text => {
            printed += text;
          })
          .catch(error => failed(task, error));
        onEnd(task, outcomes, printed);
      }
      await worker.rest();
    }),
  );
}

/**
 * @param {Task} task
 * @param {unknown} error
 */
function failed({ name }, error) {
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Map([[name, { passed: 0, failed: 1, failures: [why], evidence: [], milliseconds: 0, startup: 0 }]]);
}
