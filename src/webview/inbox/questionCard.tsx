import type { RefObject, VNode } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import type { QuestionEntry } from '../../shared/inbox/inboxProtocol';
import { longestMessage } from '../../shared/session/composing';
import { describeProgress } from '../../shared/session/facts/sessionState';
import type { Translate } from '../../shared/session/translateText';
import { toLabel } from '../../shared/text';
import { Button } from '../controls/button';
import { onFormKey } from '../controls/focus';
import { Icon } from '../controls/icon';
import { toMoment } from '../controls/numbers';
import { Panel, useRemembered } from '../controls/panelContext';
import { NotSent, Problem } from '../controls/problem';
import { visible } from '../controls/text/visibleText';
import { useSending } from '../controls/useSending';
import { AgentWords, CardFrame, Inbox } from './cardFrame';

/**
 * A session whose agent asked a question, with a field to reply. While the card has the focus, R moves to the field and N dismisses the
 * question.
 */
export function QuestionCard({ question }: { readonly question: QuestionEntry }): VNode {
  const { t } = useContext(Panel);
  const { post, goneWords, canWrite, onNext } = useContext(Inbox);
  const field = useRef<HTMLTextAreaElement>(null);
  const isStuck = question.stuck !== undefined && goneWords === undefined && canWrite;
  const interrupt = (): void => {
    post({ type: 'interrupt', id: question.id });
    onNext();
  };
  return (
    <CardFrame
      id={question.id}
      from={question}
      heading={toQuestionHeading(question, t)}
      notNow={t('Dismiss (N)')}
      keys={{ r: () => field.current?.focus(), ...(isStuck ? { i: interrupt } : {}) }}
      before={isStuck ? <Button onClick={interrupt}>{t('Interrupt (I)')}</Button> : null}
    >
      <Question question={question} field={field} />
    </CardFrame>
  );
}

interface FieldProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

function Question({ question, field }: FieldProps & { readonly question: QuestionEntry }): VNode {
  const { t, locale } = useContext(Panel);
  const { canWrite, card, post } = useContext(Inbox);
  const { id, at, text, isCut, problem, stuck } = question;
  const nameId = useId();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on the card as a whole
    <article class="ask flexColumn" ref={card} tabIndex={0} aria-labelledby={nameId}>
      <h2 class="ask-name" id={nameId}>
        <Icon name={stuck === undefined ? 'message' : 'warning'} />
        <span>{toQuestionHeading(question, t)}</span>
      </h2>
      <p class="hint">
        {at === undefined || stuck !== undefined ? '' : toMoment(at, locale, Date.now())}{' '}
        <Button kind="link" onClick={() => post({ type: 'openSession', id })}>
          {t('Open Session')}
        </Button>
      </p>
      <Problem text={problem} />
      {isCut === true ? <p class="hint">{t('Only the start of this text is shown.')}</p> : null}
      {stuck !== undefined ? (
        <p class="inbox-problem capitalized">{visible(describeProgress(stuck, t, locale))}</p>
      ) : text === undefined ? (
        <p class="hint">{problem === undefined ? t('Loading…') : ''}</p>
      ) : (
        <AgentWords text={text} label={toQuestionHeading(question, t)} />
      )}
      {canWrite ? (
        <Reply
          id={id}
          canSend={text !== undefined || stuck !== undefined}
          label={stuck === undefined ? t('Reply') : t('Message')}
          field={field}
        />
      ) : (
        <p class="hint">{t("The arguments aren't available.")}</p>
      )}
    </article>
  );
}

interface ReplyProps extends FieldProps {
  readonly id: string;
  readonly canSend: boolean;
  readonly label: string;
}

function Reply({ id, canSend: isRead, label, field }: ReplyProps): VNode {
  const { card, post } = useContext(Inbox);
  const { t, memory } = useContext(Panel);
  const [text, setText] = useRemembered(`reply ${id}`);
  const sending = useSending();
  const isUnderWay = sending.state === 'sending' || sending.state === 'sent';
  const isTooLong = text.length > longestMessage;
  const canSend = isRead && !isUnderWay && text.trim() !== '' && !isTooLong;
  const send = (): void => {
    if (canSend) {
      post({ type: 'reply', clientId: sending.start(), id, text });
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
        {label}
        <textarea
          class="field"
          ref={field}
          rows={3}
          value={text}
          readOnly={isUnderWay}
          onInput={event => setText(event.currentTarget.value)}
          onKeyDown={event => onFormKey(event, send, () => card.current?.focus())}
        />
      </label>
      {isTooLong ? <p class="problem">{t('Too long. Send a file instead.')}</p> : null}
      <NotSent sending={sending} />
      <div class="ask-buttons flexWrap">
        <Button kind="primary" disabled={!canSend} onClick={send}>
          {isUnderWay ? t('Answering…') : t('Send (Ctrl+Enter)')}
        </Button>
      </div>
    </div>
  );
}

/** The session and agent that asked or is stuck, in one line. */
export function toQuestionHeading({ agent, title, stuck }: QuestionEntry, t: Translate): string {
  const name = toLabel(agent === '' ? title : agent, 80);
  return stuck !== undefined ? t('{0} makes no progress', name) : t('{0} asked a question', name);
}
