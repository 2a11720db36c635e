import type { Prices } from '../../../../common/readPrices';
import type { BatchFileReport, BatchLimits } from '../../../../jsonl/checking/batchFileReport';
import type { FileProgress } from '../../../../jsonl/files/lineFile';
import type { FileSurvey } from '../../../../jsonl/survey/fileSurvey';
import type { SpendLimit } from '../../../../settingValues';
import type { SheetBlock, SheetChoice, SheetWish, Tone } from '../../../../shared/sheet/sheetProtocol';
import type { Submission } from '../../../ledger';
import { isForTheServiceToJudge, withoutLimits } from '../../submitting/createBatchProblems';
import type { Choices } from '../choices';
import type { Outgoing } from '../outgoing';
import type { PastRun } from '../pastRuns';
import { type Prediction, predict } from '../prediction';
import type { CountState } from '../sampleCount';
import { exceededLimit, greatestCost, type OverLimit } from '../../spendLimit';
import type { TokenHistory } from '../tokenHistory';

/** State of the survey of a file. `share` is from 0 to 1. */
export type SurveyState =
  | { readonly name: 'none' }
  | { readonly name: 'stopped' }
  | { readonly name: 'running'; readonly share: number }
  | { readonly name: 'done'; readonly survey: FileSurvey }
  | { readonly name: 'failed'; readonly problem: string };

/** Progress of sending. */
export interface SendingState {
  /** Share of all bytes, from 0 to 1. */
  readonly share: number;
  /** The current batch of several. `isWaiting`: the whole body was sent. */
  readonly part: { readonly index: number; readonly count: number; readonly isWaiting: boolean } | undefined;
}

/** All data of a sheet. Its view is derived from this alone. */
export interface SheetFacts {
  readonly revision: number;
  /** False if only a check was wanted. Then nothing can be sent. */
  readonly isToSend: boolean;
  readonly fileName: string;
  /** URI of the file. */
  readonly source: string;
  /** Folder of a local file, which the table of requests reads. `undefined` for any other file. */
  readonly folder: string | undefined;
  readonly fromEditor: boolean;
  /** Destination. Without one, the limits of a new connection apply. */
  readonly connection: { readonly name: string; readonly host: string; readonly userProfileId?: string } | undefined;
  readonly limits: BatchLimits;
  /** True if the service is known to have no batches. */
  readonly hasNoBatches: boolean;
  /**
   * Report about the file, or about the requests that are written for a retry, with the lines of the file. `undefined` until the first
   * check.
   */
  readonly report: BatchFileReport | undefined;
  /** False if lines of the report and the survey aren't lines of the file: the requests come from several files. */
  readonly hasLines: boolean;
  /** Number of requests in the file. */
  readonly total: number;
  /** The requests to send; `undefined` until they are prepared, or if nothing is chosen. */
  readonly outgoing: Pick<Outgoing, 'requestCount' | 'bodyBytes' | 'models' | 'selected' | 'parts'> | undefined;
  /** `undefined` if the user has to choose. */
  readonly choice: SheetChoice | undefined;
  readonly trialSize: number;
  /** `undefined` until they are found. */
  readonly choices: Choices | undefined;
  readonly wish: SheetWish | undefined;
  /** True if its first lines have requests in another format. */
  readonly isForeign: boolean;
  /** True if its requests contain transcripts of sessions. */
  readonly isAboutSessions: boolean;
  readonly isChecking: boolean;
  readonly isSending: boolean;
  /** Progress of sending; `undefined` until it has started. */
  readonly sending: SendingState | undefined;
  /** Earlier submissions of the same content to the same connection, newest first. */
  readonly repeats: readonly Submission[];
  /** Sentences that describe changes since the check. */
  readonly changes: readonly string[];
  /** A sentence about an action of the user that was not possible. */
  readonly notice: string | undefined;
  readonly survey: SurveyState;
  readonly prices: Prices;
  readonly currency: string;
  /** Models whose price comes from the settings of the open folder. */
  readonly folderModels: ReadonlySet<string>;
  /** Rules whose severity the settings of the open folder raise. */
  readonly folderRules: readonly string[];
  readonly minimumCachedTokens: number;
  /** Tokens of past answers. */
  readonly past: TokenHistory;
  readonly count: CountState;
  /** True if the service is known not to count tokens. */
  readonly hasNoCounts: boolean;
  readonly limit: SpendLimit;
  /** Cost of the runs of this day. */
  readonly spentToday: number;
  /** Limit that the foot shows after a first press. */
  readonly shownLimit: OverLimit | undefined;
  /** The latest runs of the file. */
  readonly pastRuns: readonly PastRun[];
}

/** Returns the prediction for the requests to send, or `undefined` until they are surveyed. */
export function predictionOf({ survey, past, count }: Pick<SheetFacts, 'survey' | 'past' | 'count'>): Prediction | undefined {
  return survey.name === 'done' ? predict(survey.survey, { past, counted: count.name === 'done' ? count.strata : undefined }) : undefined;
}

/** Returns the spending limit that sending exceeds. */
export function limitOf(facts: SheetFacts): OverLimit | undefined {
  const prediction = predictionOf(facts);
  return exceededLimit(facts.limit, prediction && greatestCost(prediction, facts.prices), facts.spentToday);
}

/** Returns whether the foot shows a limit with these amounts. */
export function isLimitShown({ per, amount, limit }: OverLimit, { shownLimit }: Pick<SheetFacts, 'shownLimit'>): boolean {
  return shownLimit?.per === per && shownLimit.amount === amount && shownLimit.limit === limit;
}

/** Returns whether a checked file can be sent: as it is, only if the user insists, or not at all. */
export function sendability(report: BatchFileReport, outgoing: Pick<Outgoing, 'parts'> | undefined): 'yes' | 'anyway' | 'no' {
  if (report.requestCount === 0 || report.invalidCount > 0 || report.unjoinableCount > 0 || outgoing?.parts?.length === 0) {
    return 'no';
  }
  // Content over the size limits is sent in parts.
  const judged = withoutLimits(report);
  return judged.problemCounts.error === 0 ? 'yes' : isForTheServiceToJudge(judged) ? 'anyway' : 'no';
}

/** Returns whether a file can be sent although the service most likely refuses each of its requests. */
export function isAllRefused(report: BatchFileReport, outgoing: Pick<Outgoing, 'parts'> | undefined): boolean {
  return report.requestCount > 0 && report.refusedCount === report.requestCount && sendability(report, outgoing) !== 'no';
}

/** Returns whether a file has to be converted before it can be sent. */
export function isToConvert({ isForeign, outgoing }: Pick<SheetFacts, 'isForeign' | 'outgoing'>, report: BatchFileReport): boolean {
  return isForeign && sendability(report, outgoing) !== 'yes';
}

/** Returns whether the requests that a sheet shows can be sent now. */
export function isReady(facts: SheetFacts): boolean {
  const { isToSend, report, connection, outgoing, changes, isSending, isChecking } = facts;
  const isStill = !isSending && !isChecking && changes.length === 0;
  if (!isToSend || report === undefined || outgoing === undefined || connection === undefined || !isStill) {
    return false;
  }
  return sendability(report, outgoing) !== 'no' && !isToConvert(facts, report) && !facts.hasNoBatches;
}

/** Returns a block with one sentence. */
export function toNote(tone: Tone, text: string): SheetBlock {
  return { kind: 'note', tone, text };
}

/** Progress of work on a file as a share from 0 to 1. */
export function shareOf({ doneBytes, totalBytes }: FileProgress): number {
  return totalBytes === 0 ? 1 : doneBytes / totalBytes;
}
