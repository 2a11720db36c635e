import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Pixels that numbers stay apart. */
const gap = 4;

/**
 * Hides the numbers over and under the bars of a histogram that have no room: a number that is cut is a wrong one. Those under the bars may
 * reach below the next ones, whose own are hidden then. Without bars nothing is done.
 */
export function useRoomForNumbers(list: RefObject<HTMLElement | null>, bars: readonly unknown[] | undefined): void {
  useLayoutEffect(() => {
    const { current } = list;
    if (current === null || bars === undefined) {
      return;
    }
    const showWhatFits = (): void => {
      const { right } = current.getBoundingClientRect();
      for (const kind of ['.barCount', '.barLabel']) {
        keepApart([...current.querySelectorAll<HTMLElement>(kind)], right);
      }
    };
    const observer = new ResizeObserver(showWhatFits);
    observer.observe(current);
    showWhatFits();
    return () => observer.disconnect();
  }, [bars]);
}

/** Shows each text that begins behind the one before it that is shown, and ends before `edge`. */
function keepApart(texts: readonly HTMLElement[], edge: number): void {
  const range = document.createRange();
  const places = texts.map(text => {
    range.selectNodeContents(text);
    return range.getBoundingClientRect();
  });
  let free = Number.NEGATIVE_INFINITY;
  for (const [at, text] of texts.entries()) {
    const { left = 0, right = 0, width = 0 } = places[at] ?? {};
    const isShown = left >= free && right <= edge + 1;
    text.style.visibility = isShown ? '' : 'hidden';
    if (isShown && width > 0) {
      free = right + gap;
    }
  }
}
