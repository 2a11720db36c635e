import path from 'node:path';
import type * as vscode from 'vscode';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { readSetting } from '../../../common/settings';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import type { FileSurvey, SensitiveRange } from '../../../jsonl/survey/fileSurvey';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { currentDestination } from './destination';
import { toPastOutput } from './pastOutput';
import { toPastRuns } from './pastRuns';
import type { SendingState, SheetFacts, SurveyState } from './presentation/sheetFacts';
import type { SheetKnowledge } from './sheetKnowledge';
import { usualTrialSize } from './trial';

/** State of a sheet. */
export interface SheetStatus {
  readonly fileName: string;
  readonly knowledge: SheetKnowledge;
  readonly survey: SurveyState;
  readonly isSending: boolean;
  readonly sending: SendingState | undefined;
}

/** Returns the facts that a sheet shows, with the current settings and destination. */
export function collectFacts(
  {
    connections,
    registry,
    rules,
    target,
  }: Pick<CreateBatchDependencies, 'connections' | 'registry' | 'rules'> & { readonly target: vscode.Uri },
  { fileName, knowledge, survey, isSending, sending }: SheetStatus,
): SheetFacts {
  const { checked, outgoing, revision, isToSend, repeats, changes, notice, isChecking, choice, choices, wish } = knowledge;
  const { connection, host, limits, baseUrl } = checked?.destination ?? currentDestination(connections);
  const estimate = readEstimateSettings();
  const source = target.toString();
  const total = checked?.report.requestCount ?? 0;
  const lines = outgoing?.fileLines;
  const report = outgoing?.report ?? checked?.report;
  return {
    ...{ revision, isToSend, fileName, source, repeats, changes, notice, isSending, limits, isChecking, sending },
    ...{ outgoing, choice, choices, wish, total },
    hasLines: choice !== 'retry' || lines !== undefined,
    trialSize: Math.min(knowledge.trialSize ?? usualTrialSize(total), total),
    survey: survey.name === 'done' && lines ? { name: 'done', survey: withFileLines(survey.survey, lines) } : survey,
    report: report && lines ? reportWithFileLines(report, lines) : report,
    isForeign: checked?.isForeign ?? false,
    past: toPastOutput(registry.all(), connection?.name, source),
    pastRuns: toPastRuns(registry.all(), { source, connection: connection?.name, prices: estimate.prices }),
    fromEditor: checked?.content.fromEditor ?? false,
    folder: target.scheme === 'file' ? path.dirname(target.fsPath) : undefined,
    connection: connection && {
      name: connection.name,
      host,
      ...(connection.userProfileId !== undefined && { userProfileId: connection.userProfileId }),
    },
    hasNoBatches: connection !== undefined && connections.served.has({ name: connection.name, baseUrl }, 'batches') === false,
    ...estimate,
    folderRules: rules.options(target).raisedByFolder ?? [],
    minimumCachedTokens: readSetting('managedAgents.estimate.minimumCachedTokens'),
  };
}

/** Returns a report about written requests with the lines of the file that they come from. */
function reportWithFileLines(report: BatchFileReport, lines: Uint32Array): BatchFileReport {
  const at = (line: number) => lines[line] ?? line;
  return {
    ...report,
    problems: report.problems.map(problem => ({ ...problem, line: at(problem.line) })),
    ruleCounts: report.ruleCounts.map(count => ({ ...count, firstLine: at(count.firstLine) })),
  };
}

function withFileLines(survey: FileSurvey, lines: Uint32Array): FileSurvey {
  const atFileLine = (place: SensitiveRange) => ({ ...place, line: lines[place.line] ?? place.line });
  return { ...survey, findings: survey.findings.map(finding => ({ ...finding, places: finding.ranges.map(atFileLine) })) };
}
