import { parseExact } from '../../shared/exactJson';

/** The JSON in an answer. Numbers that a double changes are `ExactNumber`s. */
export interface AnswerJson {
  readonly value: unknown;
  /** As the answer has it. */
  readonly json: string;
  /** Whether nothing but white space stands around it. */
  readonly isWhole: boolean;
}

/**
 * Returns the JSON in an answer: the whole text, or what stands in its only block between fences of Markdown, whatever stands around
 * that; `undefined` if there is none. Linear in the text.
 */
export function readAnswerJson(text: string): AnswerJson | undefined {
  const whole = toJson(text, true);
  if (whole !== undefined || !/```|~~~/.test(text)) {
    return whole;
  }
  const block = onlyFenced(text);
  return block === undefined ? undefined : toJson(block, false);
}

function toJson(text: string, isWhole: boolean): AnswerJson | undefined {
  const json = text.trim();
  // Most answers are prose; an exception for each of them would take most of the time.
  if (!/^(?:[[{"\d-]|true$|false$|null$)/.test(json)) {
    return undefined;
  }
  try {
    return { value: parseExact(json), json, isWhole };
  } catch {
    return undefined;
  }
}

/** Returns what stands in the only fenced block of a text; `undefined` if there is none, several, or one in another language. */
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
        // The JSON may begin on this line.
        from = rest === '' || rest.startsWith('{') || rest.startsWith('[') ? end - rest.length : -1;
        found = '';
      }
    }
    // A fence may stand right behind the JSON: no string of JSON goes over the end of a line.
    if (fence !== undefined && line.trimEnd().endsWith(fence)) {
      found = from < 0 ? '' : text.slice(from, start + text.slice(start, end).lastIndexOf(fence));
      fence = undefined;
    }
    start = end + 1;
  }
  return fence !== undefined && from >= 0 ? text.slice(from) : found;
}
