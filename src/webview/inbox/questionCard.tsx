import type { RefObject, VNode } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import type { FromInbox, QuestionEntry } from '../../shared/inbox/inboxProtocol';
import type { Translate } from '../../shared/session/translateText';
import { toLabel } from '../../shared/text';
import { Button } from '../session/controls/button';
import { Icon } from '../session/controls/icon';
import { toMoment } from '../session/controls/numbers';
import { useRemembered } from '../session/controls/remembered';
import { useSending } from '../session/controls/useSending';
import { Panel, type SendResults } from '../session/panelContext';
import { AgentWords, CardFrame, CardProblem, GoneCard } from './cardFrame';

/** Characters that travel to the host in one message. */
const longestReply = 1_000_000;

interface QuestionCardProps {
  readonly question: QuestionEntry;
  /** Why it is none any more; undefined while it is. */
  readonly goneWords: string | undefined;
  readonly canWrite: boolean;
  readonly sendResults: SendResults;
  readonly card: RefObject<HTMLElement | null>;
  readonly post: (message: FromInbox) => void;
  /** Shows the next one. */
  readonly onNext: () => void;
}

/** A session whose agent asked a question, with a field to reply. With the focus on the card, R moves to the field and N dismisses the question. */
export function QuestionCard({ question, goneWords, canWrite, sendResults, card, post, onNext }: QuestionCardProps): VNode {
  const { t } = useContext(Panel);
  const { id } = question;
  const field = useRef<HTMLTextAreaElement>(null);
  const goOn = (): void => {
    if (goneWords === undefined) {
      post({ type: 'notNow', id });
    }
    onNext();
  };
  const acts = <Button onClick={goOn}>{goneWords === undefined ? t('Dismiss (N)') : t('Next (N)')}</Button>;
  return (
    <CardFrame from={question} card={card} keys={{ n: goOn, r: () => field.current?.focus() }} acts={acts}>
      {goneWords !== undefined ? (
        <GoneCard heading={toQuestionHeading(question, t)} words={goneWords} card={card} />
      ) : (
        <Question question={question} canWrite={canWrite} sendResults={sendResults} card={card} field={field} post={post} />
      )}
    </CardFrame>
  );
}

type QuestionProps = Omit<QuestionCardProps, 'goneWords' | 'onNext'> & { readonly field: RefObject<HTMLTextAreaElement | null> };

function Question({ question, canWrite, sendResults, card, field, post }: QuestionProps): VNode {
  const { t, locale } = useContext(Panel);
  const { id, at, text, isCut, problem } = question;
  const nameId = useId();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on the card as a whole
    <article class="ask" ref={card} tabIndex={0} aria-labelledby={nameId}>
      <h2 class="ask-name" id={nameId}>
        <Icon name="message" />
        <span>{toQuestionHeading(question, t)}</span>
      </h2>
      <p class="ask-hint">
        {at === undefined ? '' : toMoment(at, locale, Date.now())}{' '}
        <Button look="link" onClick={() => post({ type: 'openSession', id })}>
          {t('Open Session')}
        </Button>
      </p>
      {problem === undefined ? null : <CardProblem text={problem} />}
      {isCut === true ? <p class="ask-hint">{t('This is the start of a long text.')}</p> : null}
      {text === undefined ? (
        <p class="ask-hint">{problem === undefined ? t('Loading…') : ''}</p>
      ) : (
        <AgentWords text={text} label={toQuestionHeading(question, t)} />
      )}
      {canWrite ? (
        <Reply id={id} canSend={text !== undefined} sendResults={sendResults} card={card} field={field} post={post} />
      ) : (
        <p class="ask-hint">{t("The arguments aren't available.")}</p>
      )}
    </article>
  );
}

type ReplyProps = Pick<QuestionProps, 'sendResults' | 'card' | 'field' | 'post'> & { readonly id: string; readonly canSend: boolean };

/** Words for the session. They stay until they have gone. */
function Reply({ id, canSend: isRead, sendResults, card, field, post }: ReplyProps): VNode {
  const { t, memory } = useContext(Panel);
  const [text, setText] = useRemembered(`reply ${id}`);
  const sending = useSending(sendResults);
  const isUnderWay = sending.state === 'sending' || sending.state === 'sent';
  const isTooLong = text.length > longestReply;
  const canSend = isRead && !isUnderWay && text.trim() !== '' && !isTooLong;
  const send = (): void => {
    if (canSend) {
      post({ type: 'reply', clientId: sending.begin(), id, text });
      card.current?.focus();
    }
  };
  useEffect(() => {
    if (sending.state === 'sent') {
      memory.set(`reply ${id}`, undefined);
    }
  }, [sending.state, id, memory]);
  return (
    <div class="ask-form">
      <label>
        {t('Reply')}
        <textarea
          class="field"
          ref={field}
          rows={3}
          value={text}
          readOnly={isUnderWay}
          onInput={event => setText(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key === 'Escape') {
              event.stopPropagation();
              card.current?.focus();
            } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing && !event.repeat) {
              event.preventDefault();
              send();
            }
          }}
        />
      </label>
      {isTooLong ? <p class="ask-problem">{t('Too long. Send a file instead.')}</p> : null}
      {sending.state === 'failed' && sending.problem !== undefined ? <CardProblem text={`${t('Not sent:')} ${sending.problem}`} /> : null}
      <div class="ask-buttons">
        <Button look="primary" disabled={!canSend} onClick={send}>
          {isUnderWay ? t('Answering…') : t('Send (Ctrl+Enter)')}
        </Button>
      </div>
    </div>
  );
}

/** Who asked, in one line. */
export function toQuestionHeading({ agent, title }: QuestionEntry, t: Translate): string {
  return t('{0} asked a question', toLabel(agent === '' ? title : agent, 80));
}
