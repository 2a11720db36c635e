import type { RefObject, VNode } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import './asks.css';
import type { Ask } from '../../../shared/session/openAsksAt';
import { whenFocused } from '../../whenFocused';
import { type LoadedParts, Panel, type PanelContext, type SendResults } from '../panelContext';
import { AskCard, toQuestion } from './askCard';
import { useWriting } from './useWriting';

interface AsksProps {
  readonly asks: readonly Ask[];
  readonly canWrite: boolean;
  readonly loadedParts: LoadedParts;
  readonly sendResults: SendResults;
  /** Another number than before brings the keyboard onto the card. */
  readonly focusToken: number;
  /** The one that is to be shown then. */
  readonly focusEventId?: string | undefined;
  /** The last ask went while the keyboard was in it. */
  readonly onLeft?: () => void;
  /** Goes to the row of a call in the timeline. */
  readonly onShow?: (rowKey: string) => void;
}

/** Everything that waits for the user, of all threads, one card at a time with the whole of what it asks. */
export function Asks({ asks, canWrite, loadedParts, sendResults, focusToken, focusEventId, onLeft, onShow }: AsksProps): VNode | null {
  const panel = useContext(Panel);
  const { t } = panel;
  const [chosen, choose] = useState<string>();
  const place = useRef(0);
  const region = useRef<HTMLElement>(null);
  const card = useRef<HTMLElement | null>(null);
  useAnnouncedAsks(asks, panel);

  const found = asks.findIndex(({ eventId }) => eventId === chosen);
  const index = found === -1 ? Math.min(place.current, asks.length - 1) : found;
  const current = asks[index];
  place.current = Math.max(0, index);

  const wantsCard = useRef(false);
  useFollowedFocus(current?.eventId, region, () => {
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
    // What is meant may be told before it is here.
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
    <section class="asks" ref={region} tabIndex={-1} aria-label={t('Needs you')}>
      <AskCard
        key={current.eventId}
        ask={current}
        canWrite={canWrite}
        loadedParts={loadedParts}
        sendResults={sendResults}
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

/**
 * Calls when a card went while the keyboard was in it. The keyboard then goes to the region and not onto the next card, which
 * was not read yet, unless the user steps through the cards by keys.
 */
function useFollowedFocus(current: string | undefined, region: RefObject<HTMLElement | null>, onLost: () => void): void {
  const last = useRef(current);
  const hadFocus = useRef(false);
  hadFocus.current = region.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (last.current !== current) {
      last.current = current;
      if (hadFocus.current && region.current?.contains(document.activeElement) !== true) {
        whenFocused(onLost);
      }
    }
  });
}

/** Says aloud what has begun to wait. */
function useAnnouncedAsks(asks: readonly Ask[], { t, announce }: PanelContext): void {
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const fresh = asks.filter(({ eventId }) => !known.current.has(eventId));
    known.current = new Set(asks.map(({ eventId }) => eventId));
    const [first] = fresh;
    if (first !== undefined) {
      announce(fresh.length === 1 ? toQuestion(first, t) : t('{0} need you', fresh.length));
    }
  }, [asks, announce, t]);
}
