import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { Button } from '../button';
import { Panel } from '../panelContext';

/** Number of characters that are laid out at once. Breaking megabytes into lines would block the panel. */
export const pageLength = 50_000;

/** Shows a button to lay out more of a text. Hidden if there is no rest. `shown` counts characters. */
export function RestOfText({ text, shown, onMore }: { text: string; shown: number; onMore: () => void }): VNode | null {
  const { t } = useContext(Panel);
  if (text.length <= shown) {
    return null;
  }
  return (
    <Button look="link" onClick={onMore}>
      {t('Show more')}
    </Button>
  );
}
