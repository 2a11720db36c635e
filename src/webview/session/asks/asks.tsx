import type { RefObject, VNode } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import './asks.css';
import type { Ask } from '../../../shared/session/openAsksAt';
import { toLabel } from '../../../shared/text';
import { whenFocused } from '../../whenFocused';
import { Button } from '../controls/button';
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

/** Everything that waits for the user, of all threads: a list, and one card at a time with the whole of what it asks. */
export function Asks({ asks, canWrite, loadedParts, sendResults, focusToken, focusEventId, onLeft, onShow }: AsksProps): VNode | null {
  const panel = useContext(Panel);
  const { t } = panel;
  const [chosen, choose] = useState<string>();
  const place = useRef(0);
  const region = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const card = useRef<HTMLElement | null>(null);
  const headingId = useId();
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
      (wantsCard.current ? card : heading).current?.focus();
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
  const step = (by: 1 | -1): void => {
    choose(asks[(index + by + asks.length) % asks.length]?.eventId);
  };
  return (
    <section class="asks" ref={region} aria-labelledby={headingId}>
      <div class="asks-line">
        <h2 class="asks-heading" id={headingId} ref={heading} tabIndex={-1}>
          {t('Waits for You')}
        </h2>
        {asks.length === 1 ? null : (
          <>
            <span class="asks-count">{t('{0} of {1}', index + 1, asks.length)}</span>
            <Button look="icon" icon="chevronLeft" label={t('Previous That Waits')} onClick={() => step(-1)} />
            <Button look="icon" icon="chevronRight" label={t('Next That Waits')} onClick={() => step(1)} />
          </>
        )}
      </div>
      {asks.length === 1 ? null : <AskList asks={asks} current={current} onChoose={choose} />}
      <AskCard
        key={current.eventId}
        ask={current}
        canWrite={canWrite}
        loadedParts={loadedParts}
        sendResults={sendResults}
        onStep={
          asks.length === 1
            ? undefined
            : by => {
                wantsCard.current = true;
                step(by);
              }
        }
        onShow={onShow}
        card={card}
      />
    </section>
  );
}

function AskList({ asks, current, onChoose }: { asks: readonly Ask[]; current: Ask; onChoose: (eventId: string) => void }): VNode {
  const { t } = useContext(Panel);
  return (
    <ul class="asks-list">
      {asks.map(ask => (
        <li key={ask.eventId}>
          <button type="button" class="asks-item" aria-current={ask === current ? 'true' : undefined} onClick={() => onChoose(ask.eventId)}>
            <b>{toLabel(ask.tool)}</b> {ask.threadName === undefined ? '' : toLabel(ask.threadName)}
            {ask.answering === true ? ` · ${t('Answering…')}` : ''}
          </button>
        </li>
      ))}
    </ul>
  );
}

/**
 * Calls when a card went while the keyboard was in it. The keyboard then goes to the heading and not onto the next card, which
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
      announce(fresh.length === 1 ? t('Waits for you: {0}', toQuestion(first, t)) : t('{0} things wait for you', fresh.length));
    }
  }, [asks, announce, t]);
}
