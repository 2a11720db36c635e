import type { VNode } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import type { InboxEntry, OfferedRule } from '../../shared/inbox/inboxProtocol';
import { join, toLabel } from '../../shared/text';
import { AskCard, toQuestion } from '../controls/asks/askCard';
import { useSettled } from '../controls/asks/useAnswer';
import { Button } from '../controls/button';
import { Panel } from '../controls/panelContext';
import { Problem } from '../controls/problem';
import { useSending } from '../controls/useSending';
import { AgentWords, CardFrame, Inbox } from './cardFrame';
import { OfferedRules } from './offeredRules';

interface EntryCardProps {
  readonly entry: InboxEntry;
  /** This ask, followed by all equal asks. */
  readonly equal: readonly InboxEntry[];
  readonly rules: readonly OfferedRule[];
}

/** An ask with the agent's task and last message. While the card has the focus, N postpones the ask. */
export function EntryCard({ entry, equal, rules }: EntryCardProps): VNode {
  const { canWrite, card, post } = useContext(Inbox);
  const { t } = useContext(Panel);
  const { ask, problem, fingerprint, said, isIrreversible } = entry;
  const [readPrint, setReadPrint] = useState<string>();
  return (
    <CardFrame
      id={ask.eventId}
      from={entry}
      heading={toQuestion(ask, t)}
      notNow={t('Not Now (N)')}
      after={canWrite ? <AllowEqual equal={equal} isRead={readPrint === fingerprint} /> : null}
    >
      {said === undefined ? null : <AgentWords text={said} label={t('Last message of the agent')} />}
      {isIrreversible === true ? <p class="inbox-warning">{t("This can't be undone.")}</p> : null}
      <Problem text={problem} />
      <AskCard
        ask={ask}
        canWrite={canWrite}
        onShow={() => post({ type: 'openSession', id: ask.eventId })}
        card={card}
        onRead={() => setReadPrint(fingerprint)}
      />
      <OfferedRules rules={rules} />
    </CardFrame>
  );
}

/**
 * Button that allows the ask on the card and its equals. Disabled until the arguments were scrolled to their end, and briefly whenever the
 * list of asks changes.
 */
function AllowEqual({ equal, isRead }: Pick<EntryCardProps, 'equal'> & { readonly isRead: boolean }): VNode | null {
  const { t } = useContext(Panel);
  const { card, post } = useContext(Inbox);
  const sending = useSending();
  const hintId = useId();
  const isSettled = useSettled(JSON.stringify(equal.map(({ ask }) => ask.eventId)));
  if (equal.length < 2) {
    return null;
  }
  const allow = (): void => {
    post({
      type: 'allowEqual',
      clientId: sending.start(),
      asks: equal.map(({ ask, fingerprint }) => ({ id: ask.eventId, shown: fingerprint })),
    });
    // The button disappears with the card. If the card has the focus, the focus moves to the next card.
    card.current?.focus();
  };
  return (
    <>
      <Button disabled={!isRead || !isSettled || sending.state === 'sending'} describedBy={hintId} onClick={allow}>
        {t('Allow These {0}', equal.length)}
      </Button>
      <span class="hint" id={hintId}>
        {t('Same call in: {0}', equal.map(toLocation).join(' · '))}
      </span>
      <Problem text={sending.problem} />
    </>
  );
}

function toLocation({ title, ask }: InboxEntry): string {
  return join(' ', toLabel(title, 60), ask.threadName && `(${toLabel(ask.threadName, 60)})`);
}
