import path from 'node:path';
import type * as vscode from 'vscode';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { readSetting } from '../../../common/settings';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import type { FileSurvey, SensitiveRange } from '../../../jsonl/survey/fileSurvey';
import { resultsOf, runsOfSource, toRuns } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { currentDestination } from '../destination';
import { spentSince, startOfDay, toSpendLimit } from '../spendLimit';
import { usualTrialSize } from './choices';
import type { SheetFacts, SheetStatus } from './presentation/sheetFacts';
import type { SheetKnowledge } from './sheetKnowledge';

const pastRunsShown = 3;

/** Returns the facts that a sheet shows, with the current settings and destination. */
export function collectFacts(
  { connections, registry, rules, target }: Pick<BatchDependencies, 'connections' | 'registry' | 'rules'> & { readonly target: vscode.Uri },
  knowledge: SheetKnowledge,
  status: SheetStatus,
): SheetFacts {
  const { checked, outgoing, revision, isToSend, repeats, changes, notice, isChecking, choice, choices, wish } = knowledge;
  const { connection, host, limits, baseUrl } = checked?.destination ?? currentDestination(connections);
  const estimate = readEstimateSettings();
  const runs = toRuns(registry.all());
  const { survey } = status;
  const source = target.toString();
  const total = checked?.report.requestCount ?? 0;
  const limit = toSpendLimit(readSetting('managedAgents.spend.limit'));
  const lacks = (group: 'batches' | 'tokenCounts') =>
    connection !== undefined && connections.served.has({ name: connection.name, baseUrl }, group) === false;
  const lines = outgoing?.fileLines;
  const report = outgoing?.report ?? checked?.report;
  return {
    ...{ ...status, revision, isToSend, source, repeats, changes, notice, limits, isChecking },
    ...{ outgoing, choice, choices, wish, total },
    hasLines: choice !== 'retry' || lines !== undefined,
    trialSize: Math.min(knowledge.trialSize ?? usualTrialSize(total), total),
    survey: survey.name === 'done' && lines ? { name: 'done', survey: withFileLines(survey.survey, lines) } : survey,
    report: report && lines ? reportWithFileLines(report, lines) : report,
    isForeign: checked?.isForeign ?? false,
    isAboutSessions: checked?.isAboutSessions ?? false,
    limit,
    spentToday: limit.day === undefined ? 0 : spentSince(runs, startOfDay(Date.now()), estimate.prices),
    pastRuns: runsOfSource(runs, source)
      .filter(run => resultsOf(run) !== undefined && (connection === undefined || run.connection === connection.name))
      .slice(0, pastRunsShown),
    fromEditor: checked?.content.fromEditor ?? false,
    folder: target.scheme === 'file' ? path.dirname(target.fsPath) : undefined,
    connection: connection && {
      name: connection.name,
      host,
      ...(connection.userProfileId !== undefined && { userProfileId: connection.userProfileId }),
    },
    hasNoBatches: lacks('batches'),
    hasNoCounts: lacks('tokenCounts'),
    ...estimate,
    folderRules: rules.options(target).raisedByFolder ?? [],
  };
}

function reportWithFileLines(report: BatchFileReport, lines: Uint32Array): BatchFileReport {
  const toFileLine = (line: number) => lines[line] ?? line;
  return {
    ...report,
    problems: report.problems.map(problem => ({ ...problem, line: toFileLine(problem.line) })),
    ruleCounts: report.ruleCounts.map(count => ({ ...count, firstLine: toFileLine(count.firstLine) })),
  };
}

function withFileLines(survey: FileSurvey, lines: Uint32Array): FileSurvey {
  const atFileLine = (range: SensitiveRange) => ({ ...range, line: lines[range.line] ?? range.line });
  return { ...survey, findings: survey.findings.map(finding => ({ ...finding, ranges: finding.ranges.map(atFileLine) })) };
}
