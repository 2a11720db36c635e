import type { ComponentChild } from 'preact';
import { toVisiblePieces } from './visiblePieces';

/** Text as children of an element: hidden characters stand in small boxes by their names. */
export function visible(text: string): ComponentChild[] {
  return toVisiblePieces(text).map(piece =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <span class="hiddenCharacter" title={piece.hidden}>
        {piece.hidden}
      </span>
    ),
  );
}
