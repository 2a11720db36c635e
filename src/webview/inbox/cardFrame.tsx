import type { ComponentChildren, RefObject, VNode } from 'preact';
import { visible } from '../session/text/visibleText';

interface CardFrameProps {
  readonly from: { readonly agent: string; readonly title: string; readonly connection: string };
  readonly card: RefObject<HTMLElement | null>;
  /** What keys do, in lower case, while the card itself has the focus. */
  readonly keys: Readonly<Record<string, () => void>>;
  readonly children: ComponentChildren;
  /** The buttons below. */
  readonly acts: ComponentChildren;
}

/** What stands around every card of the inbox: who it is of, and what the inbox does with it. */
export function CardFrame({ from: { agent, title, connection }, card, keys, children, acts }: CardFrameProps): VNode {
  const onKeyDown = (event: KeyboardEvent): void => {
    const isPlain = !(event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
    const act = keys[event.key.toLowerCase()];
    if (event.target === card.current && isPlain && act !== undefined) {
      event.preventDefault();
      act();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the card within
    <div class="inbox-entry" onKeyDown={onKeyDown}>
      <h2 class="inbox-where">
        {agent === '' ? null : <b>{visible(agent)}</b>} <span>{visible(title)}</span> <span class="faint">{visible(connection)}</span>
      </h2>
      {children}
      <div class="inbox-acts">{acts}</div>
    </div>
  );
}
