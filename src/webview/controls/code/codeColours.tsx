import type { ComponentChild } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { TextChunks } from '../text/longText';
import { visible } from '../text/visibleText';
import type { CodePiece, highlight as Highlight } from './highlight';

/** Maximum length of coloured code, and of its lines, in characters. Longer code, crafted to be slow, could block the panel noticeably. */
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
export function useCodeColours(code: string, language: string | undefined): ComponentChild {
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
  // Runs before the first paint, which a loaded highlighter already colours.
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
