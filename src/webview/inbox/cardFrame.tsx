import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../controls/icon';
import { Markdown } from '../controls/markdown/markdownView';
import '../controls/markdown/markdown.css';
import { visible } from '../controls/text/visibleText';

interface CardFrameProps {
  readonly from: { readonly agent: string; readonly title: string; readonly connection: string; readonly task?: string };
  readonly card: RefObject<HTMLElement | null>;
  /** Actions of keys, in lower case, while the card itself has the focus. */
  readonly keys: Readonly<Record<string, () => void>>;
  readonly children: ComponentChildren;
  /** Buttons below the card. */
  readonly acts: ComponentChildren;
}

/** Frame of every card: the agent and its task above it, and the buttons of the inbox below it. */
export function CardFrame({ from: { agent, title, connection, task }, card, keys, children, acts }: CardFrameProps): VNode {
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
      <p class="inbox-where">
        {agent === '' ? null : <b>{visible(agent)}</b>} <span>{visible(title)}</span> <span class="faint">{visible(connection)}</span>
      </p>
      {task === undefined ? null : <p class="inbox-task">{visible(task)}</p>}
      {children}
      <div class="inbox-acts">{acts}</div>
    </div>
  );
}

/** Message of the agent, scrolled to its end, where the question is. */
export function AgentWords({ text, label }: { readonly text: string; readonly label: string }): VNode {
  const scroller = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="inbox-words" ref={scroller} tabIndex={0} aria-label={label}>
      <Markdown text={text} />
    </section>
  );
}

/** Error of an action on the card. */
export function CardProblem({ text }: { readonly text: string }): VNode {
  return (
    <p class="ask-problem" role="alert">
      <Icon name="error" /> {visible(text)}
    </p>
  );
}

interface GoneCardProps {
  readonly heading: string;
  readonly words: string;
  readonly card: RefObject<HTMLElement | null>;
}

/** Replaces an item that no longer waits: its heading, and the reason. */
export function GoneCard({ heading, words, card }: GoneCardProps): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a key acts on the card as a whole
    <article class="ask inbox-gone" ref={card} tabIndex={0} aria-label={`${heading} ${words}`}>
      <h2 class="ask-name">
        <Icon name="info" /> <span>{heading}</span>
      </h2>
      <p>{words}</p>
    </article>
  );
}
