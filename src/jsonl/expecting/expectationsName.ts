/** Name of the file of expectations beside a request file: `requests.jsonl` -> `requests.expect.jsonl`. */
export function expectationsNameOf(name: string): string {
  return `${name.replace(/\.(?:jsonl|ndjson)$/i, '')}.expect.jsonl`;
}
