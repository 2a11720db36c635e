import { readFileSync } from 'node:fs';

/** Returns the JSON of a recorded response in `test/fixtures/`. */
export function recordedBody(file: string): { readonly data: readonly never[]; readonly next_page?: string | null } {
  const text = readFileSync(`test/fixtures/${file}`, 'utf8');
  const answer = text.slice(text.indexOf('### RESPONSE'));
  return JSON.parse(answer.slice(answer.indexOf('\n\n') + 2));
}
