import { type ComponentChildren, createContext, type RefObject, type VNode } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { FromInbox } from '../../shared/inbox/inboxProtocol';
import { Button } from '../controls/button';
import { Icon } from '../controls/icon';
import { Markdown } from '../controls/markdown/markdownView';
import '../controls/markdown/markdown.css';
import { Panel } from '../controls/panelContext';
import { visible } from '../controls/text/visibleText';

/** Data shared by all parts of the inbox. */
interface InboxContext {
  /** Reason why the item on the card no longer waits. `undefined` while the item waits. */
  readonly goneWords: string | undefined;
  readonly canWrite: boolean;
  readonly card: RefObject<HTMLElement | null>;
  readonly post: (message: FromInbox) => void;
  readonly onNext: () => void;
}

export const Inbox = createContext({} as InboxContext);

interface CardFrameProps {
  readonly id: string;
  readonly from: { readonly agent: string; readonly title: string; readonly connection: string; readonly task?: string };
  readonly heading: string;
  readonly notNow: string;
  /** Additional actions by key, in lower case, while the card itself has the focus. */
  readonly keys?: Readonly<Record<string, () => void>>;
  readonly before?: ComponentChildren;
  readonly after?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Frame of every card: the agent and its task above it, and the buttons of the inbox below it. N leaves the item unanswered. */
export function CardFrame(props: CardFrameProps): VNode {
  const { id, from, heading, notNow, keys = {}, before, after, children } = props;
  const { goneWords, card, post, onNext } = useContext(Inbox);
  const { t } = useContext(Panel);
  const isWaiting = goneWords === undefined;
  const goOn = (): void => {
    if (isWaiting) {
      post({ type: 'notNow', id });
    }
    onNext();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isPlain = !(event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
    const key = event.key.toLowerCase();
    const act = key === 'n' ? goOn : keys[key];
    if (event.target === card.current && isPlain && act !== undefined) {
      event.preventDefault();
      act();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the card inside
    <div class="inbox-entry flexColumn" onKeyDown={onKeyDown}>
      <p class="inbox-where">
        {from.agent === '' ? null : <b>{visible(from.agent)}</b>} <span>{visible(from.title)}</span>{' '}
        <span class="faint">{visible(from.connection)}</span>
      </p>
      {from.task === undefined ? null : <p class="inbox-task faint">{visible(from.task)}</p>}
      {isWaiting ? (
        children
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a key acts on the card as a whole
        <article class="ask flexColumn inbox-gone" ref={card} tabIndex={0} aria-label={`${heading} ${goneWords}`}>
          <h2 class="ask-name">
            <Icon name="info" /> <span>{heading}</span>
          </h2>
          <p>{goneWords}</p>
        </article>
      )}
      <div class="inbox-acts flexWrap">
        {isWaiting ? before : null}
        <Button onClick={goOn}>{isWaiting ? notNow : t('Next (N)')}</Button>
        {isWaiting ? after : null}
      </div>
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section class="inbox-words" ref={scroller} tabIndex={0} aria-label={label}>
      <Markdown text={text} />
    </section>
  );
}
