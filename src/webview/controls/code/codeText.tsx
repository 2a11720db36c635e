import type { VNode } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { Button } from '../button';
import { toCount } from '../numbers';
import { Panel } from '../panelContext';
import { pageLength, RestOfText, useSoughtAt } from '../text/longText';
import { useCodeColours } from './codeColours';
import { countLineEnds } from '../../../shared/text';
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
 * Code, data or output: wrapped, folded to its first lines, then bounded in height with its own scroll bar, and laid out in steps. Coloured
 * by language, with a button that copies all of it.
 */
export function CodeText({ text, language, isUnfolded = false, rest }: CodeTextProps): VNode {
  const { post, t, locale } = useContext(Panel);
  const [isOpened, setOpened] = useState(false);
  const [shownLength, setShownLength] = useState(pageLength);
  const beginning = useMemo(() => firstLines(text, linesAtFirst), [text]);
  // A search match must not be hidden by folding.
  const soughtAt = useSoughtAt(text, Math.min(beginning.text.length, shownLength));
  const isOpen = isUnfolded || isOpened || soughtAt !== -1;
  const first = isOpen ? { text, more: 0 } : beginning;
  const shown = first.text.slice(0, Math.max(shownLength, soughtAt + pageLength));
  const coloured = useCodeColours(shown, language);
  return (
    <>
      <div class="codeBlock">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre class={isOpen ? 'longText codeText isUnfolded' : 'longText codeText'} tabIndex={0}>
          <code>{coloured}</code>
        </pre>
        {rest === undefined ? (
          <Button look="icon" icon="copy" label={t('Copy Code')} onClick={() => post({ type: 'copyText', text })} />
        ) : null}
      </div>
      {rest !== undefined ? (
        rest(first.more)
      ) : first.more > 0 ? (
        <Button look="link" onClick={() => setOpened(true)}>
          {t('Show {0} More', toCount(first.more, locale))}
        </Button>
      ) : (
        <RestOfText text={text} shown={shown.length} onMore={() => setShownLength(shown.length + pageLength * 4)} />
      )}
    </>
  );
}

/** The start of a text, and the number of lines after it. */
interface FirstLines {
  readonly text: string;
  readonly more: number;
}

/** Up to this many further lines are shown rather than folded. */
const slack = 3;

/** Returns the first lines of a text, without the final line end; the whole text if hardly any lines follow. */
export function firstLines(text: string, count: number): FirstLines {
  let end = -1;
  for (let line = 0; line < count; line++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) {
      return { text, more: 0 };
    }
  }
  // A final line end starts no further line.
  const more = countLineEnds(text, end) - (text.endsWith('\n') ? 1 : 0);
  return more <= slack ? { text, more: 0 } : { text: text.slice(0, end), more };
}
