import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { countLineEnds, toByteSize } from '../../../shared/text';
import { Button } from '../button';
import { toCount } from '../numbers';
import { Panel } from '../panelContext';

/** Number of characters that are laid out at once. Breaking megabytes into lines would block the panel. */
export const pageLength = 50_000;

/** Shows how much of a text is not laid out yet, with a button for more. Hidden if there is no rest. `shown` counts characters. */
export function RestOfText({ text, shown, onMore }: { text: string; shown: number; onMore: () => void }): VNode | null {
  const { t, locale } = useContext(Panel);
  if (text.length <= shown) {
    return null;
  }
  const size = toByteSize(text.length - shown, locale);
  const lines = countLineEnds(text, shown);
  return (
    <Button look="link" onClick={onMore}>
      {lines === 0
        ? t('Show more ({0} left)', size)
        : lines === 1
          ? t('Show more (1 line, {0} left)', size)
          : t('Show more ({0} lines, {1} left)', toCount(lines, locale), size)}
    </Button>
  );
}
