/** Longer arguments are not parsed for one line. */
const longest = 20_000;

/** Arguments of a call in one line: the value alone where there is one, else `name: value, name: value`; what is no JSON object as it stands. */
export function toArgumentsLine(json: string): string {
  const start = json.slice(0, 400);
  if (json.length > longest) {
    return oneLine(start);
  }
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
      return oneLine(start);
    }
    const entries = Object.entries(parsed);
    const [only] = entries;
    return entries.length === 1 && only !== undefined
      ? toWord(only[1])
      : entries
          .map(([name, value]) => `${oneLine(name)}: ${toWord(value)}`)
          .join(', ')
          .slice(0, 400);
  } catch {
    return oneLine(start);
  }
}

function toWord(value: unknown): string {
  return oneLine((typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 400));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, space => (/[\r\n]/.test(space) ? ' ⏎ ' : space)).trim();
}
