import { type JobListener, JobThread } from './jobThread';
import type { JobOrder } from './threadProtocol';

/** Maximum number of idle threads: a file can be checked while results arrive. */
const maxIdle = 2;
/** Time until an idle thread ends if none has to be ready, in milliseconds. */
const idleMs = 30_000;

/**
 * Pool of job threads, each running one job at a time. Threads are reused, because starting one and loading and compiling its code is most
 * of the cost of a small file. One thread stays ready if requested. Other idle threads end after half a minute.
 */
export class JobThreads {
  /** Idle threads. The most recently used one is last and ends last. */
  private readonly idle: JobThread[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isWanted = false;
  private practiseIn: string | undefined;
  private isDisposed = false;

  constructor(private readonly threadFile: string) {}

  /** Runs a job in an idle or a new thread. Rejects with the job's error, or if its thread crashed. */
  run(order: Omit<JobOrder, 'aborted'>, listener: JobListener): Promise<unknown> {
    return (this.idle.pop() ?? this.start()).run(order, listener);
  }

  /** Sets whether one idle thread stays ready. With `practiseIn`, it has done a trial join of results; see `JobThread.prepare`. */
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

  /** Ends the idle threads. Others end after their job. */
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
      // A thread that ended while idle would do so again, so it is not replaced.
      this.idle.splice(at, 1);
    }
  }

  /** Ends surplus threads, immediately above the maximum and otherwise after a while. */
  private look(): void {
    this.endAllBut(this.isDisposed ? 0 : maxIdle);
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
