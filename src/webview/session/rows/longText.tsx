import type { VNode } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { toByteSize } from '../../../shared/text';
import { Button } from '../controls/button';
import { Panel } from '../panelContext';
import { visible } from '../text/visibleText';
import './longText.css';

/** Text beyond this is laid out only when asked for: breaking megabytes into lines would stop the panel. */
const pageLength = 50_000;

/** Text as it is, in the editor's font unless it is prose: wrapped, bounded in height with a scroll bar of its own, and laid out in steps. */
export function LongText({ text, isProse = false }: { text: string; isProse?: boolean }): VNode {
  const { t, locale } = useContext(Panel);
  const [shown, show] = useState(pageLength);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre class={isProse ? 'plainText' : 'longText'} tabIndex={0}>
        {visible(text.length > shown ? text.slice(0, shown) : text)}
      </pre>
      {text.length > shown ? (
        <Button look="link" onClick={() => show(shown + pageLength * 4)}>
          {t('Show more ({0} left)', toByteSize(text.length - shown, locale))}
        </Button>
      ) : null}
    </>
  );
}
