import { parseExact } from '../../shared/exactJson';
import { toPretty } from '../pretty/prettyLine';

/** JSON in an answer. Numbers that a double can't represent exactly are `ExactNumber`s. */
export interface AnswerJson {
  readonly value: unknown;
  readonly json: string;
  /** True if the rest of the answer is white space. */
  readonly isWhole: boolean;
}

/**
 * Returns the JSON that is a whole answer, or the content of its only fenced Markdown block. Text around the block is ignored. Returns
 * `undefined` if there is no JSON. Runs in linear time.
 */
export function readAnswerJson(text: string): AnswerJson | undefined {
  const whole = toJson(text, true);
  if (whole !== undefined || !/```|~~~/.test(text)) {
    return whole;
  }
  const block = onlyFenced(text);
  return block === undefined ? undefined : toJson(block, false);
}

/** Returns an answer that is a JSON object or array, pretty-printed, or `undefined` for any other answer. */
export function prettyAnswer(text: string): string | undefined {
  const found = readAnswerJson(text);
  return found?.isWhole === true && /^[[{]/.test(found.json) ? toPretty(found.json).trimEnd() : undefined;
}

function toJson(text: string, isWhole: boolean): AnswerJson | undefined {
  const json = text.trim();
  // Most answers are prose. Throwing an exception for each prose answer would be slow.
  if (!/^(?:[[{"\d-]|true$|false$|null$)/.test(json)) {
    return undefined;
  }
  try {
    return { value: parseExact(json), json, isWhole };
  } catch {
    return undefined;
  }
}

/** Returns the content of the only fenced block, or `undefined` for none, several, or one in another language. */
function onlyFenced(text: string): string | undefined {
  let found: string | undefined;
  let fence: string | undefined;
  let from = -1;
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    let line = text.slice(start, end);
    if (fence === undefined) {
      const [opening, mark] = /^[ \t]*(`{3,}|~{3,})/.exec(line) ?? [];
      if (opening !== undefined) {
        if (found !== undefined) {
          return undefined;
        }
        fence = mark;
        line = line.slice(opening.length).trimStart();
        const language = /^json\w*/i.exec(line)?.[0] ?? '';
        const rest = line.slice(language.length).trimStart();
        // The JSON may start on this line.
        from = rest === '' || rest.startsWith('{') || rest.startsWith('[') ? end - rest.length : -1;
        found = '';
      }
    }
    // The closing fence may directly follow the JSON, because JSON strings don't span lines.
    if (fence !== undefined && line.trimEnd().endsWith(fence)) {
      found = from < 0 ? '' : text.slice(from, start + text.slice(start, end).lastIndexOf(fence));
      fence = undefined;
    }
    start = end + 1;
  }
  return fence !== undefined && from >= 0 ? text.slice(from) : found;
}
