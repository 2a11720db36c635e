/** Longer arguments are not parsed for one line. */
const longest = 20_000;

/** Arguments that say by their value alone what a call is about. */
const main = new Set(['command', 'file_path', 'path', 'pattern', 'query', 'url']);

/**
 * Returns the arguments of a call in one line, at most 400 characters: the value alone if there is one argument, otherwise the main one
 * first and the others as `name: value`. What is not a JSON object is returned as it is.
 */
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
    const [first] = entries.length === 1 ? entries : entries.filter(([name]) => main.has(name));
    const words = entries.filter(entry => entry !== first).map(([name, value]) => `${oneLine(name)}: ${toWord(value)}`);
    return [...(first === undefined ? [] : [toWord(first[1])]), ...words].join(', ').slice(0, 400);
  } catch {
    return oneLine(start);
  }
}

function toWord(value: unknown): string {
  const isList = Array.isArray(value) && value.every(one => typeof one !== 'object');
  return oneLine((typeof value === 'string' ? value : isList ? value.join(' ') : JSON.stringify(value)).slice(0, 400));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, space => (/[\r\n]/.test(space) ? ' ⏎ ' : space)).trim();
}
