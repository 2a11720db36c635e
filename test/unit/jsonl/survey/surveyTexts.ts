/** Returns a request with one user message. */
export function requestOf(content: unknown, more: object = {}, id = 'a'): string {
  return JSON.stringify({ custom_id: id, params: { model: 'm', max_tokens: 10, messages: [{ role: 'user', content }], ...more } });
}

/** Returns about `tokens` tokens of words that are unique for each `seed`. */
export function longText(tokens: number, seed = 'x'): string {
  return Array.from({ length: tokens }, (_, index) => `${seed}${String.fromCharCode(97 + (index % 26))}`).join(' ');
}
