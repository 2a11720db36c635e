import type { BatchFileReport, BatchLimits, FileProgress } from '../../../jsonl/batchFileReport';
import type { FileSurvey } from '../../../jsonl/survey/fileSurvey';
import type { Submission } from '../ledger/submission';
import { isForTheServiceToJudge } from '../submitting/createBatchProblems';
import type { Prices } from './estimateMoney';
import type { PastOutput } from './pastOutput';

/** How far the survey of a file is. `share` is from 0 to 1. */
export type SurveyState =
  | { readonly name: 'none' }
  | { readonly name: 'stopped' }
  | { readonly name: 'running'; readonly share: number }
  | { readonly name: 'done'; readonly survey: FileSurvey }
  | { readonly name: 'failed'; readonly problem: string };

/** Everything that a sheet knows. What it shows is made of this alone. */
export interface SheetFacts {
  readonly revision: number;
  /** `estimate`: nothing can be sent from it. */
  readonly mode: 'create' | 'estimate';
  readonly fileName: string;
  readonly fromEditor: boolean;
  /** Where it would go; without one the limits are those of a new connection. */
  readonly connection: { readonly name: string; readonly host: string } | undefined;
  readonly limits: BatchLimits;
  /** Absent until the file was checked for the first time. */
  readonly report: BatchFileReport | undefined;
  /** Its first lines show requests in another form. */
  readonly isForeign: boolean;
  readonly isChecking: boolean;
  readonly isSending: boolean;
  /** How much of the body has left, from 0 to 1; absent until sending has begun. */
  readonly sentShare: number | undefined;
  /** Earlier submissions of the same content to the same connection, newest first. */
  readonly repeats: readonly Submission[];
  /** Sentences: what is no longer as it was when the file was checked. */
  readonly changes: readonly string[];
  /** A sentence about what the user wanted and did not get. */
  readonly notice: string | undefined;
  readonly survey: SurveyState;
  readonly prices: Prices;
  readonly currency: string;
  readonly minimumCachedTokens: number;
  /** What answers had until now. */
  readonly past: PastOutput;
}

/** What one batch of a file would need to be split into, at the least. */
export interface Parts {
  readonly parts: number;
  readonly isOverRequests: boolean;
  readonly isOverBytes: boolean;
}

/** The parts of a file that is over the limits; undefined when it is not. */
export function partsOf({ requestCount, bodyBytes }: BatchFileReport, { maxRequests, maxBytes }: BatchLimits): Parts | undefined {
  const isOverRequests = requestCount > maxRequests;
  const isOverBytes = bodyBytes > maxBytes;
  return isOverRequests || isOverBytes
    ? { parts: Math.max(2, Math.ceil(requestCount / maxRequests), Math.ceil(bodyBytes / maxBytes)), isOverRequests, isOverBytes }
    : undefined;
}

/** Whether a checked file can be sent: as it stands, only because the user insists, or not at all. */
export function sendability(report: BatchFileReport, limits: BatchLimits): 'yes' | 'anyway' | 'no' {
  if (report.requestCount === 0 || report.invalidCount > 0 || partsOf(report, limits) !== undefined) {
    return 'no';
  }
  return report.problemCounts.error === 0 ? 'yes' : isForTheServiceToJudge(report) ? 'anyway' : 'no';
}

/** Whether a file has to be converted before a batch can be made of it: what can be sent as it stands need not. */
export function isToConvert({ isForeign, limits }: Pick<SheetFacts, 'isForeign' | 'limits'>, report: BatchFileReport): boolean {
  return isForeign && sendability(report, limits) !== 'yes';
}

/** Progress of work on a file as a share from 0 to 1. */
export function shareOf({ doneBytes, totalBytes }: FileProgress): number {
  return totalBytes === 0 ? 1 : doneBytes / totalBytes;
}
