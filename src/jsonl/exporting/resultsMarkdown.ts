import { hasAnswer, toStatusWord } from '../../shared/results/resultStatus';
import { toFence, toPlainLine, toQuotedMarkdown } from '../../shared/session/rows/markdownText';
import { prettyAnswer } from '../answers/answerJson';
import type { ExportedRow } from './exportedRow';
import type { ExportWords } from './exportingJobs';

/** Default words. */
export const englishWords: ExportWords = {
  title: 'Results',
  request: 'Request',
  answer: 'Answer',
  error: 'Error',
  line: 'line {0}',
  inputTokens: 'input tokens: {0}',
  outputTokens: 'output tokens: {0}',
};

/** Returns the start of the page. */
export function toMarkdownHead({ title }: ExportWords): string {
  return `# ${toPlainLine(title)}\n`;
}

/** Returns a result as a section with facts, request and answer. Escapes all texts, so that they can't change the structure of the page. */
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
