import { type JobListener, JobThread } from './jobThread';
import type { JobOrder } from './threadProtocol';

/** How many threads without a job are kept: a file is checked while results arrive. */
const mostIdle = 2;
/** How long a thread is kept that nobody asked to be ready. */
const idleMs = 30_000;

/**
 * The threads that jobs run in, each one job at a time. A thread that has done its job is used again: its start and what it has
 * loaded and compiled are most of what a small file costs. One is kept ready while that is wanted; idle ones go after half a minute.
 */
export class JobThreads {
  /** The one that was used last at the end: it goes last. */
  private readonly idle: JobThread[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isWanted = false;
  private practiseIn: string | undefined;
  private isDisposed = false;

  constructor(private readonly threadFile: string) {}

  /** Runs a job as soon as a thread has it; rejects with what it threw, or that its thread crashed. */
  run(order: Omit<JobOrder, 'aborted'>, listener: JobListener): Promise<unknown> {
    return (this.idle.pop() ?? this.start()).run(order, listener);
  }

  /** Keeps one thread that has no job from now on, or no longer; with `practiseIn` one that has practised for results, see `JobThread.prepare`. */
  keepReady(isWanted: boolean, practiseIn?: string): void {
    this.isWanted = isWanted;
    this.practiseIn = practiseIn;
    if (isWanted) {
      this.replenish();
      if (practiseIn !== undefined) {
        this.idle.at(-1)?.prepare(practiseIn);
      }
    } else {
      this.look();
    }
  }

  /** Ends those without a job, and keeps none any more. */
  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    for (const thread of this.idle.splice(0)) {
      thread.end();
    }
  }

  private start(): JobThread {
    return new JobThread(
      this.threadFile,
      thread => this.keep(thread),
      thread => this.forget(thread),
    );
  }

  private replenish(): void {
    if (this.isWanted && this.idle.length === 0 && !this.isDisposed) {
      const thread = this.start();
      thread.prepare(this.practiseIn);
      this.keep(thread);
    }
  }

  private keep(thread: JobThread): void {
    thread.rest();
    this.idle.push(thread);
    this.look();
  }

  private forget(thread: JobThread): void {
    const at = this.idle.indexOf(thread);
    if (at === -1) {
      this.replenish();
    } else {
      // One that ended while it had nothing to do would do so again.
      this.idle.splice(at, 1);
    }
  }

  /** Ends what is too many at once, and what is left when nothing was asked of them for a while. */
  private look(): void {
    this.endAllBut(this.isDisposed ? 0 : mostIdle);
    clearTimeout(this.timer);
    if (this.idle.length > (this.isWanted ? 1 : 0)) {
      this.timer = setTimeout(() => this.endAllBut(this.isWanted ? 1 : 0), idleMs).unref();
    }
  }

  private endAllBut(most: number): void {
    for (const thread of this.idle.splice(0, Math.max(0, this.idle.length - most))) {
      thread.end();
    }
  }
}
