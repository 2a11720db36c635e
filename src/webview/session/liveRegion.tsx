import type { VNode } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';

/** Words to be said, and a number that changes when the same words are to be said again. */
interface Spoken {
  readonly words: string;
  readonly count: number;
}

/** What is said within this time is said together, in milliseconds. */
const pause = 400;
const mostAtOnce = 3;

/** Collects what a screen reader shall say: a few things at a time, the youngest of many. */
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

/** Where a screen reader hears of what happened, without the keyboard moving. */
export function LiveRegion({ spoken }: { spoken: Spoken }): VNode {
  return (
    <div class="only-read-aloud" role="status" aria-live="polite">
      <span key={spoken.count}>{spoken.words}</span>
    </div>
  );
}
