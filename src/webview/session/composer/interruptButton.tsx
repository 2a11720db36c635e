import type { VNode } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SessionView } from '../../../shared/session/sessionView';
import type { ThreadView } from '../../../shared/session/threadViews';
import { whenFocused } from '../../whenFocused';
import { Button } from '../controls/button';
import { Panel } from '../panelContext';

/** Milliseconds after which it can be asked again, when nothing has come of it. */
const patience = 10_000;

interface InterruptButtonProps {
  readonly thread: string;
  readonly view: SessionView;
  /** It went while it had the keyboard. */
  readonly onLeft: () => void;
}

/** What would be interrupted while a thread is shown: that thread when it is another one, else the session; and whether it can be now. */
export function interruptible(
  view: SessionView,
  thread: string,
): { readonly other: ThreadView | undefined; readonly state: string; readonly isThere: boolean } {
  const other = view.threads.find(({ id, isPrimary }) => id === thread && !isPrimary);
  const own = view.state === 'failed' ? view.status : view.state;
  const state = other === undefined ? own : other.waiting > 0 ? 'waiting' : other.status;
  return { other, state, isThere: state === 'running' || state === 'rescheduling' || state === 'waiting' };
}

/** Interrupts the session, or the thread that is shown when it is another one; not there while nothing can be interrupted. */
export function InterruptButton({ thread, view, onLeft }: InterruptButtonProps): VNode | null {
  const { t, post } = useContext(Panel);
  const { other, state, isThere } = interruptible(view, thread);
  const [asked, setAsked] = useState<string>();
  const place = `${thread} ${state}`;
  useEffect(() => {
    if (asked === undefined) {
      return undefined;
    }
    if (asked !== place) {
      setAsked(undefined);
      return undefined;
    }
    const timer = setTimeout(() => setAsked(undefined), patience);
    return () => clearTimeout(timer);
  }, [asked, place]);
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  hadFocus.current = button.current !== null && button.current === document.activeElement;
  useLayoutEffect(() => {
    if (!isThere && hadFocus.current) {
      whenFocused(onLeft);
    }
  }, [isThere]);
  if (!isThere) {
    return null;
  }
  const isAsked = asked === place;
  return (
    <Button
      icon="stop"
      buttonRef={button}
      isBusy={isAsked}
      onClick={() => {
        setAsked(place);
        post({ type: 'interrupt', ...(other === undefined ? {} : { thread }) });
      }}
    >
      {isAsked ? t('Interrupting…') : other === undefined ? t('Interrupt') : t('Interrupt This Thread')}
    </Button>
  );
}
