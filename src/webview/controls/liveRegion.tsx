import type { VNode } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';

/** A text to announce, and a number that changes if the same text is announced again. */
interface Spoken {
  readonly words: string;
  readonly count: number;
}

/** Time in which texts are collected to be announced together, in milliseconds. */
const pause = 400;
const mostAtOnce = 3;

/** Collects announcements for a screen reader. If there are many, only the latest are announced. */
export function useAnnouncer(): { readonly announce: (text: string) => void; readonly spoken: Spoken } {
  const [spoken, say] = useState<Spoken>({ words: '', count: 0 });
  const waiting = useRef<string[]>([]);
  const announce = useCallback((text: string) => {
    if (waiting.current.length === 0) {
      setTimeout(() => {
        const words = waiting.current.slice(-mostAtOnce).reduce((said, text) => `${said}${/[.!?…]$/.test(said) ? '' : '.'} ${text}`);
        waiting.current = [];
        say(({ count }) => ({ words, count: count + 1 }));
      }, pause);
    }
    waiting.current.push(text);
  }, []);
  return { announce, spoken };
}

/** ARIA live region: announces changes to a screen reader without moving the focus. */
export function LiveRegion({ spoken }: { spoken: Spoken }): VNode {
  return (
    <div class="only-read-aloud" role="status" aria-live="polite">
      <span key={spoken.count}>{spoken.words}</span>
    </div>
  );
}
