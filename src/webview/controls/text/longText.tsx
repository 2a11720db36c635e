import { createContext, type VNode } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { visible } from './visibleText';
import './longText.css';
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
    <Button kind="link" onClick={onMore}>
      {t('Show more')}
    </Button>
  );
}

/** Text in the editor's font, or in the UI font for prose: wrapped, bounded in height with its own scroll bar, and laid out in steps. */
export function LongText({ text, isProse = false }: { text: string; isProse?: boolean }): VNode {
  const [asked, show] = useState(pageLength);
  // A search match must be laid out, too.
  const shown = Math.max(asked, useSoughtAt(text, asked) + pageLength);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre class={isProse ? 'plainText' : 'longText'} tabIndex={0}>
        {visible(text.length > shown ? text.slice(0, shown) : text)}
      </pre>
      <RestOfText text={text} shown={shown} onMore={() => show(shown + pageLength * 4)} />
    </>
  );
}

/** Search pattern of the displayed timeline. */
export const Sought = createContext<RegExp | undefined>(undefined);

/** Returns the offset of the first search match in a text at or after `from`, or -1. */
export function useSoughtAt(text: string, from: number): number {
  const pattern = useContext(Sought);
  return useMemo(() => {
    const at = pattern === undefined || from >= text.length ? -1 : text.slice(from).search(pattern);
    return at === -1 ? -1 : at + from;
  }, [text, from, pattern]);
}
