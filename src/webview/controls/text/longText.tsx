import { createContext, type VNode } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import './longText.css';
import { Panel } from '../panelContext';
import { toTextChunks } from './textChunks';
import { visible } from './visibleText';

/** Number of chunks that are laid out immediately and show hidden characters in boxes. The others are laid out when they are visible. */
const shownAtOnce = 12;

/** A complete text of any length, with hidden characters marked. */
export function TextChunks({ text }: { text: string }): VNode {
  const { t } = useContext(Panel);
  const chunks = useMemo(() => toTextChunks(text), [text]);
  return (
    <>
      {chunks.map(({ text: chunk, isContinued }, index) => (
        <span
          key={index}
          class={`textChunk${isContinued ? ' isContinued' : ''}${chunks.length > shownAtOnce ? ' isLate' : ''}`}
          title={isContinued ? t('Show more') : undefined}
        >
          {chunk === '' ? '\n' : visible(chunk, index < shownAtOnce ? undefined : 0)}
        </span>
      ))}
    </>
  );
}

/** Text in the editor's font, or in the UI font for prose: wrapped, and bounded in height with its own scroll bar. */
export function LongText({ text, isProse = false }: { text: string; isProse?: boolean }): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <pre class={isProse ? 'plainText' : 'longText'} tabIndex={0}>
      <TextChunks text={text} />
    </pre>
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
