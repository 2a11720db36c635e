import { countLineEnds } from '../../../shared/text';

/** The beginning of a text, and how many lines come behind it. */
export interface FirstLines {
  readonly text: string;
  readonly more: number;
}

/** So few lines more are not worth a press. */
const slack = 3;

/** The first lines of a text, without the line end behind them; all of it where hardly more follow. */
export function firstLines(text: string, count: number): FirstLines {
  let end = -1;
  for (let line = 0; line < count; line++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) {
      return { text, more: 0 };
    }
  }
  // What ends with a line end has no line behind it.
  const more = countLineEnds(text, end) - (text.endsWith('\n') ? 1 : 0);
  return more <= slack ? { text, more: 0 } : { text: text.slice(0, end), more };
}
