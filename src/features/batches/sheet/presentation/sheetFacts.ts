import type { EstimateSettings } from '../../../../common/estimateSettings';
import type { Problem } from '../../../../contract/problem';
import type { BatchFileReport, BatchLimits, RuleCount } from '../../../../jsonl/checking/batchFileReport';
import type { FileProgress } from '../../../../jsonl/files/lineFile';
import { isRefusedRule, type RuleId } from '../../../../jsonl/rules/ruleTable';
import type { FileSurvey } from '../../../../jsonl/survey/fileSurvey';
import type { SpendLimit } from '../../../../settingValues';
import type { SheetBlock, Tone } from '../../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../../shared/text';
import type { Run } from '../../../ledger';
import type { RunProgress } from '../../groups/sendRun';
import { exceededLimit, greatestCost, type OverLimit } from '../../spendLimit';
import type { CountedSample } from '../countSample';
import type { WorkState } from '../latestWork';
import { type Prediction, predict, type TokenHistory } from '../prediction';
import type { Outgoing } from '../preparedContent';
import type { SheetKnowledge } from '../sheetKnowledge';

/** State of a sheet that is not part of its model. */
export interface SheetStatus {
  readonly fileName: string;
  readonly survey: WorkState<{ readonly survey: FileSurvey }>;
  readonly past: TokenHistory;
  readonly count: WorkState<CountedSample>;
  /** Limit that the footer shows after a first press. */
  readonly shownLimit: OverLimit | undefined;
  readonly isSending: boolean;
  /** Progress of sending. `undefined` before sending starts. */
  readonly sending: RunProgress | undefined;
}

type KnownFacts = Pick<
  SheetKnowledge,
  'revision' | 'isToSend' | 'choice' | 'choices' | 'wish' | 'repeats' | 'changes' | 'notice' | 'isChecking'
>;

export type OutgoingFacts = Pick<Outgoing, 'requestCount' | 'bodyBytes' | 'models' | 'selected' | 'parts'>;

/** All data of a sheet. Its view is derived from this alone. */
export interface SheetFacts extends SheetStatus, Readonly<KnownFacts>, EstimateSettings {
  /** URI string of the file. */
  readonly source: string;
  /** Folder of the file. `undefined` if the file is not local and can't be shown as a table. */
  readonly folder: string | undefined;
  readonly fromEditor: boolean;
  /** Destination. Without a destination, the limits of a new connection apply. */
  readonly connection: { readonly name: string; readonly host: string; readonly userProfileId?: string } | undefined;
  readonly limits: BatchLimits;
  readonly hasNoBatches: boolean;
  /** Report about the file or the requests written for a retry, with lines of the file if `hasLines`. `undefined` until the first check. */
  readonly report: BatchFileReport | undefined;
  /** True if the lines of the report and the survey are lines of the file. False if the requests come from several files. */
  readonly hasLines: boolean;
  readonly total: number;
  readonly outgoing: OutgoingFacts | undefined;
  readonly trialSize: number;
  /** True if the file's first lines have requests in another format. */
  readonly isForeign: boolean;
  readonly isAboutSessions: boolean;
  /** Rules whose severity the settings of the open folder raise. */
  readonly folderRules: readonly string[];
  readonly hasNoCounts: boolean;
  readonly limit: SpendLimit;
  readonly spentToday: number;
  /** Latest fetched runs of the file, newest first. */
  readonly pastRuns: readonly Run[];
}

/** Returns the prediction for the requests to send, or `undefined` until they are surveyed. */
export function predictionOf({ survey, past, count }: Pick<SheetFacts, 'survey' | 'past' | 'count'>): Prediction | undefined {
  return survey.name === 'done' ? predict(survey.survey, { past, counted: count.name === 'done' ? count.strata : undefined }) : undefined;
}

/** Returns the spending limit that sending would exceed. */
export function limitOf(facts: SheetFacts): OverLimit | undefined {
  const prediction = predictionOf(facts);
  return exceededLimit(facts.limit, prediction && greatestCost(prediction, facts.prices), facts.spentToday);
}

/** Returns whether the footer shows a limit with these amounts. */
export function isLimitShown({ per, amount, limit }: OverLimit, { shownLimit }: Pick<SheetFacts, 'shownLimit'>): boolean {
  return shownLimit?.per === per && shownLimit.amount === amount && shownLimit.limit === limit;
}

/** Returns whether a checked file can be sent. `anyway` means that the file has errors that only the service can judge. */
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

/** Returns the items except `false` and `undefined`. */
export function present<T>(...items: readonly (T | false | undefined)[]): readonly T[] {
  return items.filter((item): item is T => item !== false && item !== undefined);
}

/** Returns the host of a connection, or its name if it has no valid address. */
export function hostLabel({ host, name }: { readonly host: string; readonly name: string }): string {
  return toLabel(host === '' ? name : host, 200);
}

/** Returns a block with one sentence. */
export function toNote(tone: Tone, text: string): SheetBlock {
  return { kind: 'note', tone, text };
}

/** Returns the progress of work on a file as a share from 0 to 1. */
export function shareOf({ doneBytes, totalBytes }: FileProgress): number {
  return totalBytes === 0 ? 1 : doneBytes / totalBytes;
}

/** Rules about the JSON of a line. A line that violates a rule can't be sent unchanged, or has an unintended meaning. */
const jsonRules: ReadonlySet<string> = new Set<RuleId>(['json-syntax', 'duplicate-key', 'lone-surrogate', 'too-deep', 'not-a-request']);

const limitRules: ReadonlySet<string> = new Set<RuleId>(['too-many-requests', 'body-too-large']);

type FoundProblems = Pick<BatchFileReport, 'problems' | 'problemCounts' | 'ruleCounts'>;

/** Returns the problems of a file except problems about the limits of a batch, which sending in parts avoids. */
export function withoutLimits({ problems, problemCounts, ruleCounts }: FoundProblems): FoundProblems {
  const counts = { ...problemCounts };
  const others = problems.filter(({ rule, severity }) => {
    const isOfLimits = limitRules.has(rule);
    counts[severity] -= isOfLimits ? 1 : 0;
    return !isOfLimits;
  });
  return { problems: others, problemCounts: counts, ruleCounts: ruleCounts.filter(({ rule }) => !limitRules.has(rule)) };
}

/**
 * Returns whether all errors are inside `params`, including lines that are bare `params`. The service may be less strict about `params`
 * than our rules. Errors that the report doesn't list count as outside, unless their rule is about `params` alone.
 */
export function isForTheServiceToJudge({ problems, problemCounts, ruleCounts }: FoundProblems): boolean {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0 || !errors.every(isInParams)) {
    return false;
  }
  return errors.length === problemCounts.error || ruleCounts.every(found => isRefusedRule(found.rule) || hidesNoError(found, problems));
}

/** Returns whether all errors of a rule are listed. The report lists the first problems of each rule and severity. */
function hidesNoError({ rule, count }: RuleCount, problems: BatchFileReport['problems']): boolean {
  const listed = problems.filter(problem => problem.rule === rule);
  return listed.length === count || (listed.length > 0 && listed.every(({ severity }) => severity !== 'error'));
}

function isInParams({ rule, path }: Problem): boolean {
  const [first] = path;
  return !jsonRules.has(rule) && first !== undefined && first !== 'custom_id' && (first !== 'params' || path.length > 1);
}
