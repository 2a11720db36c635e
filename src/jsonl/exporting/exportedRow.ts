import { hasAnswer, toStatusWord } from '../../shared/results/resultStatus';
import { toFence, toPlainLine, toQuotedMarkdown } from '../../shared/session/rows/markdownText';
import { prettyAnswer } from '../answers/answerJson';
import { promptText } from '../answers/answerText';
import { type IndexContents, outcomeOf } from '../results/resultsIndexFile';
import { countsOf } from '../results/resultUsage';
import { answerText, errorText, resultIn, toRecord } from '../results/resultWords';
import { costOfTokens, type TokenPrices } from '../results/tokenCost';
import type { ExportSource, ExportWords } from './exportingJobs';

type ExportedRow = ReturnType<typeof toExportedRow>;

/**
 * Creates an exported row from the columns of the index, the text of its joined line, and the text of its request's `params`. `fields` are
 * the extra fields of the request as texts. The cost is `undefined` if a price or a count is missing.
 */
export function toExportedRow(
  row: number,
  contents: IndexContents,
  line: string,
  params: string | undefined,
  {
    prices = {},
    fields = [],
  }: Pick<ExportSource, 'prices'> & { readonly fields?: readonly (readonly [name: string, text: string])[] } = {},
) {
  const result = resultIn(line);
  const { rows, ids, lines, reasons } = contents;
  const { status, stopReason = '', errorType = '' } = outcomeOf(contents, row);
  const request = params === undefined ? undefined : toRecord(JSON.parse(params));
  const number = lines[row] as number;
  return {
    id: ids.text(rows.ids[row] as number),
    line: number < 0 ? undefined : number + 1,
    status,
    stopReason,
    errorType,
    errorMessage: status === 'failed' ? errorText(result) : '',
    inputTokens: rows.inputTokens[row] as number,
    outputTokens: rows.outputTokens[row] as number,
    cacheReadTokens: rows.cacheReadTokens[row] as number,
    cacheWriteTokens: rows.cacheWriteTokens[row] as number,
    cost: hasAnswer(status) ? costOf(row, rows, prices[reasons[(rows.models[row] as number) - 1] ?? '']) : undefined,
    text: hasAnswer(status) ? answerText(result) : '',
    request: request && { model: typeof request.model === 'string' ? request.model : '', prompt: promptText(request) },
    fields,
  };
}

/** Returns the cost of an answer, or `undefined` if its price, its token counts or the lifetime of its cached tokens is unknown. */
function costOf(row: number, rows: IndexContents['rows'], prices: TokenPrices | undefined): number | undefined {
  if (prices === undefined || rows.uncounted[row] !== 0) {
    return undefined;
  }
  const { low, high } = costOfTokens(countsOf(rows, row), prices);
  return low === high ? Number(low.toPrecision(12)) : undefined;
}

/** Returns the start of an exported Markdown page. */
export function toMarkdownHead({ title }: ExportWords): string {
  return `# ${toPlainLine(title)}\n`;
}

/** Returns a result as a section with facts, request and answer. Escapes all texts, so that they can't change the page structure. */
export function toMarkdownSection(row: ExportedRow, words: ExportWords): string {
  const fill = (template: string, value: number) => template.replace('{0}', String(value));
  const facts = [
    ...(row.line === undefined ? [] : [fill(words.line, row.line)]),
    toStatusWord(row.status, text => text),
    ...(row.stopReason === '' ? [] : [row.stopReason]),
    ...(row.errorType === '' ? [] : [row.errorType]),
    ...(hasAnswer(row.status) ? [fill(words.inputTokens, row.inputTokens), fill(words.outputTokens, row.outputTokens)] : []),
    ...(row.request === undefined || row.request.model === '' ? [] : [row.request.model]),
    ...row.fields.map(([name, text]) => `${name}: ${text}`),
  ];
  const sections = [
    `\n## ${toPlainLine(row.id)}\n`,
    `${facts.map(fact => toPlainLine(fact)).join(' · ')}${row.status !== 'succeeded' ? ' ⚠' : ''}\n`,
  ];
  if (row.request !== undefined) {
    sections.push(`### ${toPlainLine(words.request)}\n`, toBody(row.request.prompt));
  }
  if (row.text !== '') {
    sections.push(`### ${toPlainLine(words.answer)}\n`, toBody(row.text));
  }
  if (row.errorMessage !== '') {
    sections.push(`### ${toPlainLine(words.error)}\n`, toBody(row.errorMessage));
  }
  return sections.join('\n');
}

function toBody(text: string): string {
  const json = prettyAnswer(text);
  return json === undefined ? toQuotedMarkdown(text) : `${toFence(json, 'json')}\n`;
}
