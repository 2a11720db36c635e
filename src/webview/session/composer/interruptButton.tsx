import type { VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { SessionView } from '../../../shared/session/sessionView';
import { Button } from '../controls/button';
import { Panel } from '../panelContext';

/** Milliseconds after which it can be asked again, when nothing has come of it. */
const patience = 10_000;

/** Interrupts the session, or the thread that is shown when it is another one; not there while nothing can be interrupted. */
export function InterruptButton({ thread, view }: { thread: string; view: SessionView }): VNode | null {
  const { t, post } = useContext(Panel);
  const other = view.threads.find(({ id, isPrimary }) => id === thread && !isPrimary);
  const state = other === undefined ? view.state : other.waiting > 0 ? 'waiting' : other.status;
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
  if (state !== 'running' && state !== 'rescheduling' && state !== 'waiting') {
    return null;
  }
  const isAsked = asked === place;
  return (
    <Button
      icon="stop"
      disabled={isAsked}
      onClick={() => {
        setAsked(place);
        post({ type: 'interrupt', ...(other === undefined ? {} : { thread }) });
      }}
    >
      {isAsked ? t('Interrupting…') : other === undefined ? t('Interrupt') : t('Interrupt This Thread')}
    </Button>
  );
}
