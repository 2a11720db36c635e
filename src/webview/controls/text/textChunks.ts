import { countLineEnds } from '../../../shared/text';

/** A chunk of a long text. `isContinued` is true if the chunk starts in the middle of a line. */
interface TextChunk {
  readonly text: string;
  readonly isContinued: boolean;
}

/** Cuts a text into chunks that are quick to lay out, at line ends if possible. The line end at a cut belongs to neither side. */
export function toTextChunks(text: string): readonly TextChunk[] {
  const pieces = text.match(/[\s\S]{0,8000}(?:\n|$)|[\s\S]{8000}/gu) ?? [];
  const chunks = pieces.filter((piece, index) => piece !== '' || index === 0);
  return chunks.map((piece, index) => ({
    text: index === chunks.length - 1 ? piece : piece.replace(/\r?\n$/, ''),
    isContinued: index > 0 && chunks[index - 1]?.endsWith('\n') === false,
  }));
}

interface FirstLines {
  readonly text: string;
  readonly more: number;
}

/** Maximum number of further lines that are shown instead of folded. */
const slack = 3;

/** Returns the first lines of a text, without the final line end. Returns the whole text if hardly any lines follow. */
export function firstLines(text: string, count: number): FirstLines {
  let end = -1;
  for (let line = 0; line < count; line++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) {
      return { text, more: 0 };
    }
  }
  // A final line end does not start another line.
  const more = countLineEnds(text, end) - (text.endsWith('\n') ? 1 : 0);
  return more <= slack ? { text, more: 0 } : { text: text.slice(0, end), more };
}
