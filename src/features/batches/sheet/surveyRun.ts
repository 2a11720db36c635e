import { isCancellation } from '../../../common/cancellation';
import { readSetting } from '../../../common/settings';
import { describeError } from '../../../common/text/describeError';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { type SurveyState, shareOf } from './presentation/sheetFacts';

export interface SurveyRunOptions {
  readonly jobs: Pick<JsonlJobs, 'run'>;
  /** Aborted when the sheet is closed. */
  readonly lifetime: AbortSignal;
  /** Called when the state changed. */
  readonly onChange: () => void;
  readonly onProgress: (share: number) => void;
}

/** The survey of a sheet's file. Only one runs at a time, and the last one started counts. */
export class SurveyRun {
  state: SurveyState = { name: 'none' };
  private running: AbortController | undefined;

  constructor(private readonly options: SurveyRunOptions) {}

  /** Starts over with the file at `path`, some of its lines (0-based, ascending), or nothing. Settles when it has ended, in any way. */
  async start(path: string | undefined, lines?: Uint32Array): Promise<void> {
    const { jobs, lifetime, onProgress } = this.options;
    this.running?.abort();
    this.running = undefined;
    if (path === undefined || lifetime.aborted) {
      this.become({ name: 'none' });
      return;
    }
    const mine = new AbortController();
    this.running = mine;
    this.become({ name: 'running', share: 0 });
    let end: SurveyState;
    try {
      const minimumCachedTokens = readSetting('managedAgents.estimate.minimumCachedTokens');
      const survey = await jobs.run(
        'surveyFile',
        { path, options: { minimumCachedTokens, lines } },
        {
          signal: AbortSignal.any([mine.signal, lifetime]),
          onProgress: progress => {
            if (this.running === mine) {
              const share = shareOf(progress);
              this.state = { name: 'running', share };
              onProgress(share);
            }
          },
        },
      );
      end = { name: 'done', survey };
    } catch (error) {
      end = isCancellation(error) ? { name: 'stopped' } : { name: 'failed', problem: describeError(error) };
    }
    if (this.running === mine) {
      this.running = undefined;
      this.become(end);
    }
  }

  /** Stops it early. */
  stop(): void {
    this.running?.abort();
  }

  private become(state: SurveyState): void {
    this.state = state;
    this.options.onChange();
  }
}
