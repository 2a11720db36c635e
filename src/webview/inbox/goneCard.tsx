import type { RefObject, VNode } from 'preact';
import { Icon } from '../session/controls/icon';

interface GoneCardProps {
  readonly heading: string;
  readonly words: string;
  readonly card: RefObject<HTMLElement | null>;
}

/** What stands in the place of something that waits no longer: what it was, and why. */
export function GoneCard({ heading, words, card }: GoneCardProps): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a key acts on the card as a whole
    <article class="ask inbox-gone" ref={card} tabIndex={0} aria-label={`${heading} ${words}`}>
      <h3 class="ask-name">
        <Icon name="info" /> <span>{heading}</span>
      </h3>
      <p>{words}</p>
    </article>
  );
}
