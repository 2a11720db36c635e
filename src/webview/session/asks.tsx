import type { VNode } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import '../controls/asks/asks.css';
import type { Ask } from '../../shared/session/openAsks';
import { toNeedWords } from '../../shared/session/threadViews';
import { AskCard, toQuestion } from '../controls/asks/askCard';
import { useLostFocus, whenFocused } from '../controls/focus';
import { Panel, type PanelContext } from '../controls/panelContext';

interface AsksProps {
  readonly asks: readonly Ask[];
  readonly canWrite: boolean;
  readonly focusToken: number;
  /** Event id of the ask to show when the focus moves. */
  readonly focusEventId?: string | undefined;
  /** Called when the last ask disappears while it has the focus. */
  readonly onLeft?: () => void;
  readonly onShow?: (rowKey: string) => void;
}

/** All open asks of all threads, one complete card at a time. */
export function Asks({ asks, canWrite, focusToken, focusEventId, onLeft, onShow }: AsksProps): VNode | null {
  const panel = useContext(Panel);
  const { t } = panel;
  const [chosen, choose] = useState<string>();
  const position = useRef(0);
  const region = useRef<HTMLElement>(null);
  const card = useRef<HTMLElement | null>(null);
  useAnnouncedAsks(asks, panel);

  const found = asks.findIndex(({ eventId }) => eventId === chosen);
  const index = found === -1 ? Math.min(position.current, asks.length - 1) : found;
  const current = asks[index];
  position.current = Math.max(0, index);

  const wantsCard = useRef(false);
  // The focus moves to the region, because nobody has read the next card yet. If the user steps through the cards by keyboard, the focus
  // moves to the next card.
  useLostFocus(region, current?.eventId, () => {
    if (current === undefined) {
      onLeft?.();
    } else {
      (wantsCard.current ? card : region).current?.focus();
      wantsCard.current = false;
    }
  });
  const isWriting = useWriting();
  const focusedToken = useRef(focusToken);
  useEffect(() => {
    // The message to focus an ask may arrive before the ask.
    if (focusedToken.current !== focusToken && current !== undefined && asks.some(({ eventId }) => eventId === (focusEventId ?? eventId))) {
      if (focusEventId !== undefined && focusEventId !== current.eventId) {
        choose(focusEventId);
        return;
      }
      focusedToken.current = focusToken;
      if (!isWriting()) {
        whenFocused(() => card.current?.focus());
      }
    }
  });

  if (current === undefined) {
    return null;
  }
  return (
    <section class="asks flexColumn" ref={region} tabIndex={-1} aria-label={t('Needs you')}>
      <AskCard
        key={current.eventId}
        ask={current}
        canWrite={canWrite}
        steps={
          asks.length === 1
            ? undefined
            : {
                index,
                count: asks.length,
                onStep: by => {
                  wantsCard.current = true;
                  choose(asks[(index + by + asks.length) % asks.length]?.eventId);
                },
              }
        }
        onShow={onShow}
        card={card}
      />
    </section>
  );
}

function useAnnouncedAsks(asks: readonly Ask[], { t, locale, announce }: PanelContext): void {
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const fresh = asks.filter(({ eventId }) => !known.current.has(eventId));
    known.current = new Set(asks.map(({ eventId }) => eventId));
    const [first] = fresh;
    if (first !== undefined) {
      announce(fresh.length === 1 ? toQuestion(first, t) : toNeedWords(fresh.length, t, locale));
    }
  }, [asks, announce, t, locale]);
}

/** Time after the last key press during which the user counts as typing, in milliseconds. */
const pauseOfWriting = 1500;

/** Returns a function that returns whether the user is typing into a field of this page. While typing, keys must not answer asks. */
function useWriting(): () => boolean {
  const last = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const note = (): void => {
      last.current = performance.now();
    };
    window.addEventListener('input', note);
    return () => window.removeEventListener('input', note);
  }, []);
  return () => performance.now() - last.current < pauseOfWriting;
}
