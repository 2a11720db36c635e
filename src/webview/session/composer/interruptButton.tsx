import type { VNode } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { SessionView } from '../../../shared/session/sessionView';
import type { ThreadView } from '../../../shared/session/threadViews';
import { useLostFocus } from '../../controls/focus';
import { Button } from '../../controls/button';
import { Panel } from '../../controls/panelContext';

/** Time after which the user can interrupt again if nothing has happened, in milliseconds. */
const patience = 10_000;

/**
 * Returns the thread to interrupt, its state, and whether it can be interrupted now. `other` is the displayed thread if it is a
 * sub-agent's; `undefined` means the session.
 */
export function interruptible(
  view: SessionView,
  thread: string,
): { readonly other: ThreadView | undefined; readonly state: string; readonly isThere: boolean } {
  const other = view.threads.find(({ id, isPrimary }) => id === thread && !isPrimary);
  const own = view.state === 'failed' ? view.status : view.state;
  const state = other === undefined ? own : other.waiting > 0 ? 'waiting' : other.status;
  return { other, state, isThere: state === 'running' || state === 'rescheduling' || state === 'waiting' };
}

/** Interrupts the session, or the displayed thread of a sub-agent. Hidden while nothing can be interrupted. */
export function InterruptButton({ thread, view, onLeft }: { thread: string; view: SessionView; onLeft: () => void }): VNode | null {
  const { t, post } = useContext(Panel);
  const { other, state, isThere } = interruptible(view, thread);
  const [asked, setAsked] = useState<string>();
  const interruption = `${thread} ${state}`;
  useEffect(() => {
    if (asked === undefined) {
      return undefined;
    }
    if (asked !== interruption) {
      setAsked(undefined);
      return undefined;
    }
    const timer = setTimeout(() => setAsked(undefined), patience);
    return () => clearTimeout(timer);
  }, [asked, interruption]);
  const button = useRef<HTMLButtonElement>(null);
  useLostFocus(button, isThere, onLeft);
  if (!isThere) {
    return null;
  }
  const isAsked = asked === interruption;
  return (
    <Button
      icon="stop"
      buttonRef={button}
      isBusy={isAsked}
      onClick={() => {
        setAsked(interruption);
        post({ type: 'interrupt', ...(other === undefined ? {} : { thread }) });
      }}
    >
      {isAsked ? t('Interrupting…') : other === undefined ? t('Interrupt') : t('Interrupt This Thread')}
    </Button>
  );
}
