import type { ExportWords } from '../../../../src/jsonl/exporting/exportResults';

export const englishWords: ExportWords = {
  title: 'Results',
  request: 'Request',
  answer: 'Answer',
  error: 'Error',
  line: 'line {0}',
  inputTokens: 'input tokens: {0}',
  outputTokens: 'output tokens: {0}',
};
