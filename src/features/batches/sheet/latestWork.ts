import { isCancellation } from '../../../common/cancellation';
import { describeError } from '../../../common/text/describeError';
import type { SheetKnowledgeOptions } from './sheetKnowledge';

/** State of a task, with its result once it is done. `share` is from 0 to 1. */
export type WorkState<T extends object> =
  | { readonly name: 'none' }
  | { readonly name: 'running'; readonly share: number }
  | ({ readonly name: 'done' } & T)
  | { readonly name: 'stopped' }
  | { readonly name: 'failed'; readonly problem: string };

/** A task on the requests of a sheet. Starting a new task cancels the previous task. */
export class LatestWork<T extends object> {
  state: WorkState<T> = { name: 'none' };
  private running: AbortController | undefined;

  constructor(private readonly options: Pick<SheetKnowledgeOptions, 'lifetime' | 'onChange' | 'onProgress'>) {}

  /** Cancels the running task and starts `work`. Settles when `work` has ended, even if it failed. */
  async start(work: (signal: AbortSignal, onShare: (share: number) => void) => Promise<T>): Promise<void> {
    const { lifetime, onProgress } = this.options;
    this.running?.abort();
    const controller = new AbortController();
    this.running = controller;
    this.become({ name: 'running', share: 0 });
    let end: WorkState<T>;
    try {
      const result = await work(AbortSignal.any([controller.signal, lifetime]), share => {
        if (this.running === controller) {
          this.state = { name: 'running', share };
          onProgress(share);
        }
      });
      end = { name: 'done', ...result };
    } catch (error) {
      end = isCancellation(error) || controller.signal.aborted ? { name: 'stopped' } : { name: 'failed', problem: describeError(error) };
    }
    controller.abort();
    if (this.running === controller) {
      this.running = undefined;
      this.become(end);
    }
  }

  stop(): void {
    this.running?.abort();
  }

  /** Stops the task and discards its result. */
  reset(): void {
    this.stop();
    this.running = undefined;
    if (this.state.name !== 'none') {
      this.become({ name: 'none' });
    }
  }

  private become(state: WorkState<T>): void {
    this.state = state;
    this.options.onChange();
  }
}
