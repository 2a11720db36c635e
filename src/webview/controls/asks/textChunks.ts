/** A chunk of a long text. `isContinued` if it starts in the middle of a line. */
export interface TextChunk {
  readonly text: string;
  readonly isContinued: boolean;
}

const maxCharacters = 8000;
const maxLines = 200;

/**
 * Cuts a text into chunks that are quick to lay out, at line ends if possible. The line end at a cut belongs to neither side, because each
 * chunk is displayed on lines of its own.
 */
export function toTextChunks(text: string): readonly TextChunk[] {
  const chunks: TextChunk[] = [];
  let from = 0;
  let isContinued = false;
  for (;;) {
    const end = endOfChunk(text, from);
    const isAtLineEnd = text[end] === '\n';
    chunks.push({ text: text.slice(from, isAtLineEnd && end > from && text[end - 1] === '\r' ? end - 1 : end), isContinued });
    if (end >= text.length) {
      return chunks;
    }
    from = isAtLineEnd ? end + 1 : end;
    isContinued = !isAtLineEnd;
  }
}

function endOfChunk(text: string, from: number): number {
  const window = text.slice(from, from + maxCharacters + 1);
  let lastLineEnd = -1;
  for (let lines = 0; lines < maxLines; lines++) {
    const next = window.indexOf('\n', lastLineEnd + 1);
    if (next === -1) {
      break;
    }
    lastLineEnd = next;
    if (lines === maxLines - 1) {
      return from + lastLineEnd;
    }
  }
  if (from + maxCharacters >= text.length) {
    return text.length;
  }
  if (lastLineEnd !== -1) {
    return from + lastLineEnd;
  }
  const unit = window.charCodeAt(maxCharacters - 1);
  return from + (unit >= 0xd800 && unit < 0xdc00 ? maxCharacters - 1 : maxCharacters);
}
