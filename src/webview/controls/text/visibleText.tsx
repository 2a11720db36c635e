import type { ComponentChild } from 'preact';
import { toVisiblePieces } from '../../../shared/visiblePieces';

/** Maximum number of boxes in one text. Further hidden characters are written out without a box, because a text can consist of them. */
const maxBoxes = 200;

/** Returns text as children of an element. Hidden characters are shown by name, up to `most` of them in small boxes. */
export function visible(text: string, most = maxBoxes): ComponentChild[] {
  const shown: ComponentChild[] = [];
  let boxes = 0;
  let rest = '';
  for (const piece of toVisiblePieces(text)) {
    if (typeof piece !== 'string' && boxes++ < most) {
      shown.push(
        <span class="hiddenCharacter" title={piece.hidden}>
          {piece.hidden}
        </span>,
      );
    } else if (boxes < most && typeof piece === 'string') {
      shown.push(piece);
    } else {
      rest += typeof piece === 'string' ? piece : `[${piece.hidden}]`;
    }
  }
  return rest === '' ? shown : [...shown, rest];
}
