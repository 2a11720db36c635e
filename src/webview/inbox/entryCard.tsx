import type { RefObject, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { FromInbox, InboxEntry } from '../../shared/inbox/inboxProtocol';
import { AskCard, toQuestion } from '../session/asks/askCard';
import { Button } from '../session/controls/button';
import { Icon } from '../session/controls/icon';
import { useSending } from '../session/controls/useSending';
import { type LoadedParts, Panel, type SendResults } from '../session/panelContext';
import { visible } from '../session/text/visibleText';
import { CardFrame } from './cardFrame';
import { GoneCard } from './goneCard';

interface EntryCardProps {
  readonly entry: InboxEntry;
  /** Why it waits no longer; undefined while it does. */
  readonly goneWords: string | undefined;
  /** Those that are alike, itself among them: which were on the card whole, and how many were not. */
  readonly alike: { readonly seen: readonly InboxEntry[]; readonly unseen: number };
  readonly canWrite: boolean;
  readonly loadedParts: LoadedParts;
  readonly sendResults: SendResults;
  readonly card: RefObject<HTMLElement | null>;
  readonly post: (message: FromInbox) => void;
  readonly onSeen: (id: string, fingerprint: string) => void;
  /** Shows the next one. */
  readonly onNext: () => void;
}

/** One thing that waits: who asks, the card of a session's panel, and what the inbox does with it besides. With the focus on the card, N goes on. */
export function EntryCard(props: EntryCardProps): VNode {
  const { entry, goneWords, canWrite, loadedParts, sendResults, card, post, onSeen, onNext } = props;
  const { t } = useContext(Panel);
  const { ask, problem } = entry;
  const goOn = (): void => {
    if (goneWords === undefined) {
      post({ type: 'notNow', id: ask.eventId });
    }
    onNext();
  };
  const acts = (
    <>
      <Button onClick={goOn}>{goneWords === undefined ? t('Not Now (N)') : t('Next (N)')}</Button>
      {goneWords === undefined && canWrite ? <AllowAlike {...props} /> : null}
    </>
  );
  return (
    <CardFrame from={entry} card={card} keys={{ n: goOn }} acts={acts}>
      {goneWords !== undefined ? (
        <GoneCard heading={toQuestion(ask, t)} words={goneWords} card={card} />
      ) : (
        <>
          {problem === undefined ? null : (
            <p class="ask-problem" role="alert">
              <Icon name="error" /> {visible(problem)}
            </p>
          )}
          <AskCard
            ask={ask}
            canWrite={canWrite}
            loadedParts={loadedParts}
            sendResults={sendResults}
            onStep={undefined}
            onShow={() => post({ type: 'openSession', id: ask.eventId })}
            card={card}
            onSeen={() => onSeen(ask.eventId, entry.fingerprint)}
          />
        </>
      )}
    </CardFrame>
  );
}

/** Allows all at once that are alike and were each on the card whole. */
function AllowAlike({ alike, sendResults, post }: EntryCardProps): VNode | null {
  const { t } = useContext(Panel);
  const sending = useSending(sendResults);
  if (alike.seen.length + alike.unseen < 2) {
    return null;
  }
  const allow = (): void => {
    post({
      type: 'allowAlike',
      clientId: sending.begin(),
      asks: alike.seen.map(({ ask, fingerprint }) => ({ id: ask.eventId, shown: fingerprint })),
    });
  };
  return (
    <>
      {alike.seen.length < 2 ? null : (
        <Button disabled={sending.state === 'sending'} onClick={allow}>
          {t('Allow All {0} Alike', alike.seen.length)}
        </Button>
      )}
      {alike.unseen === 0 ? null : (
        <span class="ask-hint">
          {alike.unseen === 1
            ? t('1 that is alike was not shown whole yet.')
            : t('{0} that are alike were not shown whole yet.', alike.unseen)}
        </span>
      )}
      {sending.state === 'failed' && sending.problem !== undefined ? (
        <p class="ask-problem" role="alert">
          <Icon name="error" /> {visible(sending.problem)}
        </p>
      ) : null}
    </>
  );
}
