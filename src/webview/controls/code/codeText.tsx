import type { ComponentChild, VNode } from 'preact';
import { useContext, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import { Button } from '../button';
import { Panel } from '../panelContext';
import { TextChunks, useSoughtAt } from '../text/longText';
import { firstLines } from '../text/textChunks';
import { visible } from '../text/visibleText';
import type { CodePiece, highlight as Highlight } from './highlight';

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
 * Code, data or output. The text wraps, is folded to its first lines, and has a maximum height with its own scroll bar. Coloured by
 * language, with a button that copies all of it.
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

/** Button that unfolds the remaining lines of a text. Hidden if no lines remain. */
export function MoreLines({ count, onClick }: { readonly count: number; readonly onClick: () => void }): VNode | null {
  const { t, locale } = useContext(Panel);
  return count === 0 ? null : (
    <Button kind="link" onClick={onClick}>
      {t('Show {0} More', toNumber(count, locale))}
    </Button>
  );
}

/** Maximum length of coloured code, and of a line of coloured code, in characters. Longer code could be crafted to block the panel. */
const longest = 10_000;
const longLine = /[^\n]{400}/;

const sorts: Readonly<Record<string, readonly string[]>> = {
  codeComment: ['comment', 'quote', 'doctag', 'meta'],
  codeKeyword: ['keyword', 'literal', 'built_in', 'type', 'selector-tag', 'tag'],
  codeName: ['attr', 'attribute', 'property', 'variable', 'name', 'template-variable', 'selector-class', 'selector-id'],
  codeNumber: ['number', 'bullet'],
  codeString: ['string', 'regexp', 'char', 'symbol', 'link', 'code'],
  codeTitle: ['title', 'section', 'strong', 'emphasis'],
  codeAdded: ['addition'],
  codeRemoved: ['deletion'],
};
const classes: ReadonlyMap<string, string> = new Map(
  Object.entries(sorts).flatMap(([className, names]) => names.map(name => [name, className] as const)),
);

/**
 * Returns code as children of an element, coloured once the highlighter is loaded. Hidden characters are shown by name. The highlighter is
 * loaded with the first code that needs it.
 */
function useCodeColours(code: string, language: string | undefined): ComponentChild {
  const wanted = isColoured(code) ? language : undefined;
  const highlight = useHighlight(wanted);
  return useMemo(() => {
    const pieces = wanted === undefined ? undefined : highlight?.(code, wanted);
    return pieces === undefined ? <TextChunks text={code} /> : pieces.map(toChild);
  }, [code, wanted, highlight]);
}

function isColoured(code: string): boolean {
  return code.length <= longest && !longLine.test(code);
}

function useHighlight(wanted: string | undefined): typeof Highlight | undefined {
  const [highlight, setHighlight] = useState<typeof Highlight>();
  // Runs before the first paint, so that a highlighter that is already loaded colours the code immediately.
  useLayoutEffect(() => {
    if (wanted === undefined) {
      return undefined;
    }
    let isGone = false;
    import('./highlight')
      .then(module => isGone || setHighlight(() => module.highlight))
      // If the highlighter can't be loaded, code is shown without colours.
      .catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [wanted]);
  return highlight;
}

function toChild(piece: CodePiece): ComponentChild {
  if (typeof piece === 'string') {
    return visible(piece);
  }
  const className = classes.get(piece.sort.split('.')[0] ?? '');
  return <span {...(className === undefined ? {} : { class: className })}>{piece.pieces.map(toChild)}</span>;
}
