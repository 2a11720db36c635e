import type { Translate } from '../../../common/text/translate';
import { RequestBuilder, RowMismatch } from '../../../jsonl/building/requestBuilder';
import { compareColumns, findTemplateErrors, parseTemplate, type RequestTemplate } from '../../../jsonl/building/requestTemplate';
import type { BuildReport, ProblemGroup, Row, RowsFormat, RowsSurvey } from '../../../jsonl/building/rowsReport';
import { checkRequestLine } from '../../../jsonl/checking/requestRules';
import { toPretty } from '../../../jsonl/pretty/prettyLine';
import type { TextProblem } from '../../../jsonl/reading/textFile';
import type { RuleOptions } from '../../../jsonl/rules/ruleOptions';
import { toNumber } from '../../../shared/formats';
import { toByteSize, toLabel } from '../../../shared/text';
import { toProblemSentence, toSeverityWord } from '../checking/problemsPresentation';
import { LinkedReport } from '../documents/linkedReport';
import type { Report } from '../documents/reportDocuments';

export interface PreviewContent {
  readonly rowsName: string;
  readonly templateName: string;
  /** Current text of the template in its editor. */
  readonly template: string;
  readonly survey: RowsSurvey;
  /** Report of building every row. `undefined` until it is complete. */
  readonly report: BuildReport | undefined;
  /** True while a check builds every row. */
  readonly isChecking: boolean;
  readonly random: number;
  readonly rules: RuleOptions;
}

/** Maximum number of characters of a request to show, because editors don't color longer lines. A longer request shows only its heading. */
const maxShown = 256 * 1024;
/** Limit of the contract for one batch. */
const maxRequests = 100_000;

/**
 * Returns the preview as JSON with comments: facts about rows, columns and problems, then the formatted requests of the first, the last and
 * a random row. `errors` is the number of errors that prevent building.
 */
export function toPreview(content: PreviewContent, t: Translate, locale?: string) {
  const template = parseTemplate(content.template);
  const { survey, report } = content;
  const columns = survey.columns.map(({ name }) => name);
  const errors = findTemplateErrors(template, columns);
  const facts = [
    t('{0} × {1}', toLabel(content.rowsName, 100), toLabel(content.templateName, 100)),
    '',
    `${t('Rows')}: ${toNumber(survey.rowCount, locale)} (${toFormatName(survey.format, t)}, ${toByteSize(survey.fileBytes, locale)})`,
    `${t('Columns')}: ${toList(columns)}`,
    ...columnFacts(template, columns, t),
    ...(survey.stop === undefined ? [] : [`✗ ${toRowsProblem(content.rowsName, survey.stop, t)}`]),
  ];
  if (errors.length > 0) {
    const shown = errors.slice(0, 20).map(({ start, text }) => {
      const line = content.template.slice(0, start).split('\n').length;
      return `✗ ${t('Template, line {0}: {1}', line, toProblemSentence(text, t))}`;
    });
    facts.push('', t('Fix the template first:'), ...shown);
    return { text: `${comment(facts)}\n[]\n`, errors: errors.length };
  }
  if (survey.stop === undefined) {
    facts.push(
      '',
      ...(report === undefined
        ? [content.isChecking ? t('Building and checking every row…') : t('Save the template to check all rows.')]
        : reportFacts(report, survey, t, locale)),
    );
  }
  const samples = sampleRows(survey, content.random, t).map(sample => toSample(sample, template, columns, content.rules, t));
  return { text: `${comment(facts)}\n${toArray(samples)}`, errors: 0 };
}

/** Returns the report of a build: a summary, then the problems by kind with the lines of their rows. */
export function toBuildReport(heading: string, report: BuildReport, t: Translate, locale?: string): Report {
  const shown = new LinkedReport(locale);
  shown.add(heading, '', ...describeReport(report, t, locale));
  for (const group of report.problems) {
    const more = group.count - group.rows.length;
    shown.add('', groupHeading(group, t, locale));
    shown.addLinks(`    ${t('lines')} `, group.rows, more > 0 ? ` ${t('and {0} more', toNumber(more, locale))}` : '');
  }
  return shown.report();
}

/** Formats a problem of the rows, such as `rows.csv, line 4: ...`. */
export function toRowsProblem(rowsName: string, { line, text }: TextProblem, t: Translate): string {
  return t('{0}, line {1}: {2}', toLabel(rowsName, 100), line + 1, toProblemSentence(text, t));
}

/** Returns the message for a file without rows, with advice. */
export function toNoRows(rowsName: string, format: RowsFormat, t: Translate): string {
  const advice = format.kind === 'csv' ? t('Add rows, or choose another delimiter.') : t('Add rows.');
  return `${t('{0} has no rows.', toLabel(rowsName, 100))} ${advice}`;
}

/** Returns the name of a format, such as `CSV, semicolons`. */
export function toFormatName(format: RowsFormat, t: Translate): string {
  switch (format.kind) {
    case 'jsonl':
      return t('JSON Lines');
    case 'json':
      return t('JSON');
    case 'csv': {
      const delimiter = toDelimiterName(format.delimiter, t);
      return format.hasHeader ? `CSV (${delimiter})` : t('CSV ({0}), no header', delimiter);
    }
  }
}

/** Returns the name of a delimiter of CSV files. */
export function toDelimiterName(delimiter: string, t: Translate): string {
  const names: Readonly<Record<string, string>> = { ',': t('Commas'), ';': t('Semicolons'), '\t': t('Tabs') };
  return names[delimiter] ?? t('Bars ({0})', toLabel(delimiter));
}

function columnFacts(template: RequestTemplate, columns: readonly string[], t: Translate): string[] {
  const { missing, unused } = compareColumns(template, columns);
  const named = missing.map(({ name, closest }) =>
    closest === undefined ? toLabel(name, 60) : t('{0} (did you mean {1}?)', toLabel(name, 60), toLabel(closest, 60)),
  );
  return [
    ...(missing.length === 0 ? [] : [`✗ ${t('Missing columns')}: ${named.join(', ')}`]),
    ...(unused.length === 0 ? [] : [`${t('Not used')}: ${toList(unused)}`]),
  ];
}

function reportFacts(report: BuildReport, survey: RowsSurvey, t: Translate, locale: string | undefined): string[] {
  const facts = describeReport(report, t, locale);
  const hasNumberProblem = report.problems.some(({ text }) =>
    /number|integer|boolean|object|array|list/i.test(text.template + text.args.join(' ')),
  );
  if (survey.format.kind === 'csv' && report.badRequests > 0 && hasNumberProblem) {
    facts.push(t('CSV cells are text. Use {0} for numbers and other values.', '{{column|json}}'));
  }
  return [...facts, ...report.problems.slice(0, 30).flatMap(group => groupLines(group, t, locale))];
}

function describeReport(report: BuildReport, t: Translate, locale: string | undefined): string[] {
  const lines = [`${t('Requests')}: ${toNumber(report.requestCount, locale)} (${toByteSize(report.bytes, locale)})`];
  if (report.badRequests > 0) {
    lines.push(`✗ ${t('Requests with errors')}: ${toNumber(report.badRequests, locale)}`);
  }
  if (report.skippedRows > 0) {
    lines.push(`✗ ${t('Rows left out')}: ${toNumber(report.skippedRows, locale)}`);
  }
  if (report.badRequests === 0 && report.skippedRows === 0 && report.requestCount > 0) {
    const isClean = report.problems.every(({ severity }) => severity !== 'warning');
    const { requestCount: count } = report;
    const valid = count === 1 ? t('The request is valid') : t('All {0} requests are valid', toNumber(count, locale));
    lines.push(`✓ ${isClean ? valid : t('No request has an error')}`);
  }
  if (report.requestCount > maxRequests) {
    lines.push(t('A batch can have {0} requests, so several batches are created.', toNumber(maxRequests, locale)));
  }
  return lines;
}

function groupLines(group: ProblemGroup, t: Translate, locale: string | undefined): string[] {
  const shown = group.rows
    .slice(0, 5)
    .map(({ row, line }) => (row === undefined ? t('line {0}', line + 1) : t('row {0} on line {1}', row, line + 1)));
  return [groupHeading(group, t, locale), `    ${shown.join(', ')}${group.count > shown.length ? ', …' : ''}`];
}

function groupHeading({ severity, text, count }: ProblemGroup, t: Translate, locale: string | undefined): string {
  const times = count === 1 ? '' : ` ×${toNumber(count, locale)}`;
  return `${severity === 'error' ? '✗ ' : ''}${toSeverityWord(severity, t)}${times}: ${toProblemSentence(text, t)}`;
}

function sampleRows({ first, last, random }: RowsSurvey, index: number, t: Translate): (readonly [title: string, sample: Row])[] {
  const others = random.filter(({ number }) => number !== first?.number && number !== last?.number);
  const samples = [
    [t('First row'), first],
    [t('Last row'), last?.number === first?.number ? undefined : last],
    [t('A random row'), others[index % Math.max(1, others.length)]],
  ] as const;
  return samples.flatMap(([title, sample]) => (sample === undefined ? [] : [[title, sample] as const]));
}

interface Sample {
  readonly heading: readonly string[];
  readonly request: string | undefined;
}

function toSample(
  [title, sample]: readonly [string, Row],
  template: RequestTemplate,
  columns: readonly string[],
  rules: RuleOptions,
  t: Translate,
): Sample {
  const heading = [t('{0}: row {1} on line {2}', title, sample.number, sample.line + 1)];
  let line: string;
  try {
    line = new RequestBuilder(template, columns).build(sample);
  } catch (error) {
    if (!(error instanceof RowMismatch)) {
      throw error;
    }
    return { heading: [...heading, `✗ ${t("Couldn't build the request: {0}", toProblemSentence(error.text, t))}`], request: undefined };
  }
  const { problems } = checkRequestLine(line, 0, rules);
  for (const { severity, text } of problems) {
    if (severity === 'error' || severity === 'warning') {
      heading.push(`${severity === 'error' ? '✗' : '!'} ${toProblemSentence(text, t)}`);
    }
  }
  return line.length > maxShown
    ? { heading: [...heading, t("This content can't be shown here.")], request: undefined }
    : { heading, request: toPretty(line).trimEnd() };
}

function toArray(samples: readonly Sample[]): string {
  const lastShown = samples.findLastIndex(({ request }) => request !== undefined);
  const parts = samples.map(({ heading, request }, index) => {
    const lines = comment(heading).trimEnd();
    const text = request === undefined ? lines : `${lines}\n${request}${index < lastShown ? ',' : ''}`;
    return `  ${text.replaceAll('\n', '\n  ')}`;
  });
  return parts.length === 0 ? '[]\n' : `[\n${parts.join('\n\n')}\n]\n`;
}

/** Formats comments, wrapped to fit next to the template. */
function comment(lines: readonly string[]): string {
  const broken = lines.flatMap(line => {
    const [first = '', ...rest] = line
      .replace(/(.{1,72})(?: |$)/gu, '$1\n')
      .trimEnd()
      .split('\n');
    return [first, ...rest.map(part => `  ${part}`)];
  });
  return broken.map(line => `${`// ${line}`.trimEnd()}\n`).join('');
}

function toList(names: readonly string[]): string {
  const shown = names.slice(0, 40).map(name => toLabel(name, 60));
  return `${shown.join(', ')}${names.length > shown.length ? ', …' : ''}`;
}
