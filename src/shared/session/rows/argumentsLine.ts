import { jsonOf } from '../../jsonOf';
import { objectOf } from '../eventFields';

/** Maximum length of arguments that are parsed for one line, in characters. */
const longest = 20_000;

/** Arguments whose value alone describes a call. */
const main = new Set(['command', 'file_path', 'path', 'pattern', 'query', 'url']);

/**
 * Returns the arguments of a call in one line, at most 400 characters: the value of the only or main argument, then the other arguments as
 * `name: value`. Also returns any text that isn't a JSON object as one line.
 */
export function toArgumentsLine(json: string): string {
  const fields = json.length > longest ? undefined : objectOf(jsonOf(json));
  if (fields === undefined) {
    return oneLine(json.slice(0, 400));
  }
  const entries = Object.entries(fields);
  const [first] = entries.length === 1 ? entries : entries.filter(([name]) => main.has(name));
  const words = entries.filter(entry => entry !== first).map(([name, value]) => `${oneLine(name)}: ${toWord(value)}`);
  return [...(first === undefined ? [] : [toWord(first[1])]), ...words].join(', ').slice(0, 400);
}

function toWord(value: unknown): string {
  const isList = Array.isArray(value) && value.every(one => typeof one !== 'object');
  return oneLine((typeof value === 'string' ? value : isList ? value.join(' ') : JSON.stringify(value)).slice(0, 400));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, space => (/[\r\n]/.test(space) ? ' ⏎ ' : space)).trim();
}
