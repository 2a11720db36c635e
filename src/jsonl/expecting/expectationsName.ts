/** Returns the name of the expectations file of a request file: `requests.expect.jsonl` for `requests.jsonl`. */
export function expectationsNameOf(name: string): string {
  return `${name.replace(/\.(?:jsonl|ndjson)$/i, '')}.expect.jsonl`;
}
