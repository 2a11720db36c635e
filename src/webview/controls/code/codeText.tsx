import type { VNode } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { Button } from '../button';
import { toCount } from '../numbers';
import { Panel } from '../panelContext';
import { firstLines } from '../text/firstLines';
import { useSoughtAt } from '../text/longText';
import { useCodeColours } from './codeColours';
import '../text/longText.css';

/** Number of lines that fit in a block without scrolling. */
export const linesAtFirst = 16;

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
  const { post, t } = useContext(Panel);
  const beginning = useMemo(() => firstLines(text, linesAtFirst), [text]);
  const [isOpen, open] = useUnfolding(text, beginning.text.length, isUnfolded);
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
      {rest === undefined ? <MoreLines count={first.more} onClick={open} /> : rest(first.more)}
    </>
  );
}

/** Returns whether text after offset `from` is unfolded, and a function that unfolds it. Text with a search match is always unfolded. */
export function useUnfolding(text: string, from: number, isUnfolded: boolean): readonly [isOpen: boolean, open: () => void] {
  const [isOpened, setOpened] = useState(isUnfolded);
  const isSought = useSoughtAt(text, from) !== -1;
  return [isUnfolded || isOpened || isSought, () => setOpened(true)];
}

/** Button that unfolds the remaining lines of a text. Hidden if there are none. */
export function MoreLines({ count, onClick }: { readonly count: number; readonly onClick: () => void }): VNode | null {
  const { t, locale } = useContext(Panel);
  return count === 0 ? null : (
    <Button kind="link" onClick={onClick}>
      {t('Show {0} More', toCount(count, locale))}
    </Button>
  );
}
