import type { Report, ReportLink } from '../../../common/documents/reportDocuments';
import type { Translate } from '../../../common/text/translate';
import type { Severity } from '../../../contract/problem';
import type { BatchFileReport, BatchLimits } from '../../../jsonl/checking/batchFileReport';
import { rulePages } from '../../../jsonl/rules/rulePages';
import type { RuleId } from '../../../jsonl/rules/ruleTable';
import { toByteSize, toLabel } from '../../../shared/text';
import { toNumber, toProblemSentence, toSeverityWord } from './problemsPresentation';

/** What was checked. */
export interface CheckedFile {
  /** Shown as it is: a path, or the name of an untitled document. */
  readonly name: string;
  /** `editor` when unsaved text was checked. */
  readonly place: 'disk' | 'editor';
  readonly limits: BatchLimits;
  /** Name of the connection whose limits these are, if there is one. */
  readonly connection: string | undefined;
}

/** The report of a check as plain text: the verdict, the facts, the counts, and the problems with their places. */
export function toCheckReport(file: CheckedFile, report: BatchFileReport, t: Translate, locale?: string): Report {
  const lines = [t('Check of {0}', toLabel(file.name, 1000)), '', toVerdict(report, t, locale)];
  if (file.place === 'editor') {
    lines.push(t('The text in the editor was checked. It is not saved.'));
  }
  lines.push('', ...toTable(toFacts(file, report, t, locale)));
  const listed = report.problems.length;
  const total = countAll(report);
  const links: ReportLink[] = [];
  if (total > 0) {
    lines.push('', t('By rule'));
    addRules(report, { lines, links }, t, locale);
    lines.push(
      '',
      listed < total
        ? t('Problems: the first {0} of {1}, worst first (line:column)', toNumber(listed, locale), toNumber(total, locale))
        : t('Problems, worst first (line:column)'),
    );
  }
  const width = Math.max(0, ...report.problems.map(problem => toPlace(problem).length));
  const ruleWidth = Math.max(0, ...report.problems.map(problem => problem.rule.length));
  const severityWidth = Math.max(0, ...report.problems.map(problem => toSeverityWord(problem.severity, t).length));
  for (const problem of report.problems) {
    const place = toPlace(problem);
    links.push({ reportLine: lines.length, length: place.length, line: problem.line, column: problem.start });
    const columns = [place.padEnd(width), toSeverityWord(problem.severity, t).padEnd(severityWidth), problem.rule.padEnd(ruleWidth)];
    lines.push(`${columns.join('  ')}  ${toProblemSentence(problem.text, t)}`);
  }
  return { text: `${lines.join('\n')}\n`, links };
}

function toVerdict(report: BatchFileReport, t: Translate, locale: string | undefined): string {
  const { error, warning } = report.problemCounts;
  if (error > 0) {
    return error === 1
      ? t('Fix 1 error before you create a batch from this file.')
      : t('Fix {0} errors before you create a batch from this file.', toNumber(error, locale));
  }
  if (report.invalidCount > 0) {
    return t('No batch can be made from this file: {0} of its lines hold no request.', toNumber(report.invalidCount, locale));
  }
  return warning > 0
    ? t('A batch can be made from this file. Read the warnings first.')
    : t('A batch can be made from this file. Nothing is wrong with it.');
}

function toFacts(
  file: CheckedFile,
  report: BatchFileReport,
  t: Translate,
  locale: string | undefined,
): readonly (readonly [string, string])[] {
  const size = (bytes: number) =>
    bytes < 1000 ? toByteSize(bytes, locale) : t('{0} ({1} bytes)', toByteSize(bytes, locale), toNumber(bytes, locale));
  const counts = report.problemCounts;
  const severities: readonly Severity[] = ['error', 'warning', 'information', 'hint'];
  const found = severities
    .filter(severity => counts[severity] > 0)
    .map(severity => `${toNumber(counts[severity], locale)} ${toSeverityWord(severity, t)}`);
  return [
    [t('Requests'), t('{0} of at most {1}', toNumber(report.requestCount, locale), toNumber(file.limits.maxRequests, locale))],
    [
      t('Batch body'),
      file.limits.maxBytes < Number.MAX_SAFE_INTEGER
        ? t('{0} of at most {1}', size(report.bodyBytes), toByteSize(file.limits.maxBytes, locale))
        : size(report.bodyBytes),
    ],
    [
      t('Limits'),
      file.connection === undefined
        ? t('those of the service interface, as no connection is chosen')
        : t('those of connection {0}', toLabel(file.connection)),
    ],
    [t('File'), size(report.fileBytes)],
    [t('Lines'), toNumber(report.lineCount, locale)],
    [t('Ids made'), report.bareCount === 0 ? t('none: every request has its own') : toNumber(report.bareCount, locale)],
    [t('Models'), report.models.map(([model, count]) => `${toLabel(model, 100)} (${toNumber(count, locale)})`).join(', ') || t('none')],
    ['SHA-256', report.sha256],
    [t('Problems'), found.join(', ') || t('none')],
  ];
}

function toTable(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

/** A line for each rule: how often it found something, what that is, and where first. */
function addRules(
  { ruleCounts }: BatchFileReport,
  { lines, links }: { readonly lines: string[]; readonly links: ReportLink[] },
  t: Translate,
  locale: string | undefined,
): void {
  const rows = ruleCounts.map(({ rule, count, firstLine }) => {
    const first = count === 1 ? t('line {0}', toNumber(firstLine + 1, locale)) : t('first on line {0}', toNumber(firstLine + 1, locale));
    return { rule, count: toNumber(count, locale), title: t(toTitle(rule)), first, firstLine };
  });
  const widths = [
    Math.max(...rows.map(({ rule }) => rule.length)),
    Math.max(...rows.map(({ count }) => count.length)),
    Math.max(...rows.map(({ title }) => title.length)),
  ] as const;
  for (const { rule, count, title, first, firstLine } of rows) {
    const before = `  ${rule.padEnd(widths[0])}  ${count.padStart(widths[1])}  ${title.padEnd(widths[2])}  `;
    links.push({ reportLine: lines.length, start: before.length, length: first.length, line: firstLine, column: 0 });
    lines.push(`${before}${first}`);
  }
}

function toTitle(rule: string): string {
  return Object.hasOwn(rulePages, rule) ? rulePages[rule as RuleId].title : rule;
}

function countAll({ problemCounts: counts }: BatchFileReport): number {
  return counts.error + counts.warning + counts.information + counts.hint;
}

function toPlace({ line, start }: { readonly line: number; readonly start: number }): string {
  return `${line + 1}:${start + 1}`;
}
