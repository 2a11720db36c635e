import type { VNode } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import './visibleText.css';
import { Panel } from './panelContext';
import { toVisiblePieces } from './visiblePieces';

/** Text in which invisible and direction-changing characters are shown as marks; it never changes the direction of its surroundings. */
export function VisibleText({ text }: { text: string }): VNode {
  const { t } = useContext(Panel);
  const pieces = useMemo(() => toVisiblePieces(text), [text]);
  return (
    <bdi dir="ltr" class="visible-text">
      {pieces.map(({ text: piece, isMark }) =>
        isMark ? (
          <span class="visible-text-mark" title={t('A character that cannot be seen: {0}', piece)}>
            {piece}
          </span>
        ) : (
          piece
        ),
      )}
    </bdi>
  );
}
