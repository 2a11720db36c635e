import type { FileSurvey, SurveyOptions } from '../../../../src/jsonl/survey/fileSurvey';
import { promptLines } from '../../../../src/jsonl/survey/promptLines';
import { Survey } from '../../../../src/jsonl/survey/surveyFile';

/** Returns a request with one user message. */
export function requestOf(content: unknown, more: object = {}, id = 'a'): string {
  return JSON.stringify({ custom_id: id, params: { model: 'm', max_tokens: 10, messages: [{ role: 'user', content }], ...more } });
}

/** Returns a text of about `tokens` tokens. Its words are unique for each `seed`. */
export function longText(tokens: number, seed = 'x'): string {
  return Array.from({ length: tokens }, (_, index) => `${seed}${String.fromCharCode(97 + (index % 26))}`).join(' ');
}

/** Surveys a single request line. */
export function surveyLine(text: string, options: SurveyOptions): FileSurvey {
  const survey = new Survey(options);
  const bytes = Buffer.from(`${text}\n`);
  promptLines(survey).reject({ bytes, start: 0, end: bytes.indexOf('\n'), offset: 0 }, 0, 0);
  return survey.finish();
}
