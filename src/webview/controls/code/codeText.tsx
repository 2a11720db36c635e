import type { VNode } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { Button } from '../button';
import { toCount } from '../numbers';
import { Panel } from '../panelContext';
import { firstLines } from '../text/firstLines';
import { useSoughtAt } from '../text/longText';
import { useCodeColours } from './codeColours';
import '../text/longText.css';
import './codeText.css';

/** Number of lines that fit in a block without scrolling. */
const linesAtFirst = 16;

interface CodeTextProps {
  readonly text: string;
  readonly language?: string | undefined;
  /** True if the user already asked for the whole text. */
  readonly isUnfolded?: boolean;
  /** Renders the line below a cut text, given the number of hidden lines. A cut text can't be copied from here. */
  readonly rest?: (hidden: number) => VNode;
}

/**
 * Code, data or output: wrapped, folded to its first lines, then bounded in height with its own scroll bar. Coloured by language, with a
 * button that copies all of it.
 */
export function CodeText({ text, language, isUnfolded = false, rest }: CodeTextProps): VNode {
  const { post, t, locale } = useContext(Panel);
  const [isOpened, setOpened] = useState(false);
  const beginning = useMemo(() => firstLines(text, linesAtFirst), [text]);
  // A search match must not be hidden by folding.
  const isSought = useSoughtAt(text, beginning.text.length) !== -1;
  const isOpen = isUnfolded || isOpened || isSought;
  const first = isOpen ? { text, more: 0 } : beginning;
  const coloured = useCodeColours(first.text, language);
  return (
    <>
      <div class="codeBlock">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <pre class={isOpen ? 'longText codeText isUnfolded' : 'longText codeText'} tabIndex={0}>
          <code>{coloured}</code>
        </pre>
        {rest === undefined ? (
          <Button kind="icon" icon="copy" label={t('Copy Code')} onClick={() => post({ type: 'copyText', text })} />
        ) : null}
      </div>
      {rest !== undefined ? (
        rest(first.more)
      ) : first.more > 0 ? (
        <Button kind="link" onClick={() => setOpened(true)}>
          {t('Show {0} More', toCount(first.more, locale))}
        </Button>
      ) : null}
    </>
  );
}
