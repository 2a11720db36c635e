/** Returns the name of the file with the extra fields of a request file: `a.fields.jsonl` for `a.jsonl`. */
export function fieldsNameOf(name: string): string {
  return `${name.replace(/\.(?:jsonl|ndjson)$/i, '')}.fields.jsonl`;
}
