// @ts-check
import { fork } from 'node:child_process';
import { onExit } from '../helpers/onExit.mjs';
import { createTally } from './tally.mjs';

/** Seconds in which a process that runs tests says something; each test ends much earlier, or hangs. */
export const silence = Number(process.env.TEST_SILENCE_SECONDS ?? 420);

/** @typedef {import('./tally.mjs').Outcome} Outcome */

/**
 * How the process of a lane is started.
 * @typedef {object} LaneStart
 * @property {string} entry the built `laneEntry`
 * @property {NodeJS.ProcessEnv} env beside that of this process
 */

/**
 * A process that runs test files one after another, whoever they share things with. It outlives a file that fails, and no file
 * that hangs, crashes or ends it: `isAlive` tells.
 */
export class Lane {
  /** @type {Set<number>} */
  #groups = new Set();
  /** @type {(name: string, args: unknown[]) => void} */
  #listen = () => {};
  /** @type {(text: string) => void} */
  #print = () => {};

  /** @param {LaneStart} start */
  constructor({ entry, env }) {
    this.isAlive = true;
    this.child = fork(entry, [], {
      // Room for what lives shortly, or a tenth of the time of what tests make goes to collecting it.
      execArgv: ['--enable-source-maps', '--max-semi-space-size=64'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, ...env },
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', text => this.#print(text));
    }
    this.child.on('message', message => {
      const { name, args } = /** @type {{ name: string, args: unknown[] }} */ (message);
      this.#heard(name, args);
    });
    const forget = onExit(() => {
      this.child.kill('SIGTERM');
      // Nothing can be awaited any more, and a test that never yields hears no signal.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      this.#kill();
    });
    /** @type {Promise<string>} */
    this.exited = new Promise(resolve => {
      this.child.once('error', error => resolve(`its process could not be started: ${error.message}`));
      this.child.once('exit', (code, signal) => {
        forget();
        this.isAlive = false;
        this.#killGroups();
        resolve(`its process ended with ${signal ?? `code ${code}`} before its end`);
      });
    });
  }

  /**
   * Runs one test file. A file that does not come to its end, or runs nothing, counts as one more failure.
   * @param {{ name: string, file: string, grep: string, listsTests: boolean, env: Readonly<Record<string, string>> }} task `env` is set before
   * @param {(text: string) => void} print
   * @returns {Promise<Outcome>}
   */
  async run(task, print) {
    const tally = createTally({ names: [task.name], grep: task.grep, print });
    this.#print = print;
    this.#listen = tally.handle;
    this.child.send({ kind: 'run', ...task });
    await tally.ended(silence, [this.exited]);
    this.#listen = () => {};
    const outcome = tally.outcomes.get(task.name);
    if (outcome === undefined) {
      throw new Error(`unreachable: ${task.name} has an outcome`);
    }
    if (outcome.failures.some(why => why.startsWith('nothing was heard'))) {
      this.#kill();
      await this.exited;
    }
    return outcome;
  }

  /** Lets it end what its files shared, and ends it. */
  async end() {
    if (this.isAlive) {
      this.child.send({ kind: 'end' });
      const late = setTimeout(() => this.#kill(), 30_000);
      await this.exited;
      clearTimeout(late);
    }
  }

  /**
   * @param {string} name
   * @param {unknown[]} args
   */
  #heard(name, args) {
    if (name === 'groupStarted') {
      this.#groups.add(Number(args[0]));
    } else if (name === 'groupEnded') {
      this.#groups.delete(Number(args[0]));
    } else if (name !== 'ready') {
      this.#listen(name, args);
    }
  }

  /** Ends it with what it started in groups of their own, which a process that is killed takes nowhere along. */
  #kill() {
    this.child.kill('SIGKILL');
    this.#killGroups();
  }

  #killGroups() {
    for (const leader of this.#groups) {
      try {
        process.kill(-leader, 'SIGKILL');
      } catch {
        // It is gone already.
      }
    }
    this.#groups.clear();
  }
}
