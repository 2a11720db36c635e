import { countLineEnds } from '../../../shared/text';

interface FirstLines {
  readonly text: string;
  readonly more: number;
}

/** Maximum number of further lines that are shown instead of folded. */
const slack = 3;

/** Returns the first lines of a text, without the final line end; the whole text if hardly any lines follow. */
export function firstLines(text: string, count: number): FirstLines {
  let end = -1;
  for (let line = 0; line < count; line++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) {
      return { text, more: 0 };
    }
  }
  // A final line end starts no further line.
  const more = countLineEnds(text, end) - (text.endsWith('\n') ? 1 : 0);
  return more <= slack ? { text, more: 0 } : { text: text.slice(0, end), more };
}
