import type { ArrangingJobs } from '../arranging/arrangingJobs';
import type { RequestPlan } from '../body/requestPlan';
import type { BuildingJobs } from '../building/buildingJobs';
import type { CheckedBatchFile } from '../checking/batchFile';
import type { CheckTerms, FileProgress } from '../checking/batchFileReport';
import type { ConvertingJobs } from '../converting/convertingJobs';
import type { FileHash } from '../files/fileHash';
import type { RewriteJobs } from '../fixes/rewriteJob';
import type { FoundLine, LineWriting, WantedFileLine } from '../pretty/lineJobs';
import type { ResultsJobs } from '../results/resultsJobs';
import type { FileSurvey, MarkReport, MarkSource, PrimerReport, PrimerSource, SurveyOptions } from '../survey/fileSurvey';
import type { TablingJobs } from '../tabling/tablingJobs';
import type { JobContext } from './jobContext';
import type { JoinedFile, JoinSource, RequestBodySource } from './jobs';

/** Every job a thread can do: what goes in (structured clone) and what comes out. */
export interface ThreadJobs extends ArrangingJobs, BuildingJobs, ConvertingJobs, RewriteJobs, ResultsJobs, TablingJobs {
  checkFile: { input: { readonly path: string; readonly terms: CheckTerms }; output: CheckedBatchFile };
  /** Runs beside another job that reads the same file. */
  hashFile: { input: { readonly path: string }; output: FileHash };
  /** Emits the create body. */
  requestBody: { input: { readonly source: RequestBodySource; readonly plan: RequestPlan | undefined }; output: undefined };
  joinResults: { input: JoinSource; output: JoinedFile };
  findLine: { input: WantedFileLine; output: FoundLine | undefined };
  writeLine: { input: LineWriting; output: number };
  surveyFile: { input: { readonly path: string; readonly options: SurveyOptions }; output: FileSurvey };
  markPrefixes: { input: MarkSource; output: MarkReport };
  writePrimer: { input: PrimerSource; output: PrimerReport };
}

export type JobName = keyof ThreadJobs;
export type JobOf<K extends JobName> = ThreadJobs[K];

/** The memory behind a `SlotWriter`. `free[0]` counts the slots that the job may take; both sides go through them in order. */
export interface SlotRing {
  readonly slots: readonly Uint8Array[];
  readonly free: Int32Array;
}

export type JobTable = {
  readonly [K in JobName]: (input: ThreadJobs[K]['input'], context: JobContext) => Promise<ThreadJobs[K]['output']>;
};

/** One job for a thread. `aborted[0]` becomes 1 when it is cancelled. */
export interface JobOrder {
  readonly name: JobName;
  readonly input: unknown;
  readonly aborted: Int32Array;
  readonly ring: SlotRing;
}

/**
 * What the host tells a thread: `prepare` loads what the first job would, and with `practiseIn`, a folder for what is soon removed, also
 * does for practice what results that arrive will want; `end` comes when it has no job and gets none any more.
 */
export type HostMessage =
  | { readonly type: 'prepare'; readonly practiseIn: string | undefined }
  | { readonly type: 'run'; readonly order: JobOrder }
  | { readonly type: 'abort' }
  | { readonly type: 'end' };

/** What a thread tells the host of its job; `isFree` when it can take another one. Without that it ends. */
export type ThreadMessage =
  | { readonly type: 'progress'; readonly progress: FileProgress }
  | { readonly type: 'chunk'; readonly slot: number; readonly length: number }
  | { readonly type: 'done'; readonly value: unknown; readonly isFree: boolean }
  | {
      readonly type: 'failed';
      readonly name: string;
      readonly message: string;
      readonly stack: string | undefined;
      readonly code: string | undefined;
    };
