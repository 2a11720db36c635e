/** A chunk of a long text. `isContinued` if it starts in the middle of a line. */
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
