import type { RefObject, VNode } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Ask } from '../../../shared/session/transcriptAsks';
import { toLabel } from '../../../shared/text';
import { Icon } from '../controls/icon';
import { toMoment } from '../controls/numbers';
import { type Sending, useSending } from '../controls/useSending';
import { type LoadedParts, Panel, type SendResults, type Translate } from '../panelContext';
import { visible } from '../text/visibleText';
import { ArgumentsView, toAskArguments } from './argumentsView';
import { Confirmation, type Verdict } from './confirmation';
import { CustomToolResult } from './customToolResult';

/** Milliseconds in which a card that has just come cannot be answered: what was aimed at may have been something else. */
const settlingTime = 500;

interface AskCardProps {
  readonly ask: Ask;
  readonly canWrite: boolean;
  readonly loadedParts: LoadedParts;
  readonly sendResults: SendResults;
  /** Shows the one before or after; undefined when there is only one. */
  readonly onStep: ((by: 1 | -1) => void) | undefined;
  readonly onShow: ((rowKey: string) => void) | undefined;
  readonly card: RefObject<HTMLElement | null>;
}

/**
 * One thing that waits for the user, with the whole of what it asks. By keyboard: with the focus on the card itself, A allows,
 * D denies, R denies with a reason.
 */
export function AskCard({ ask, canWrite, loadedParts, sendResults, onStep, onShow, card }: AskCardProps): VNode {
  const panel = useContext(Panel);
  const { t, locale, post } = panel;
  const [isReasonOpen, setReasonOpen] = useState(false);
  const [isFile, setFile] = useState(false);
  const sending = useSending(sendResults);
  const isSettled = useSettled();
  const nameId = useId();
  const given = toAskArguments(ask, loadedParts);
  const isUnanswered = useUnanswered(ask, sending);
  const isAnswering = ask.answering === true || sending.state === 'sending' || sending.state === 'sent';
  const canAnswer = canWrite && isSettled && !isAnswering;
  const { eventId } = ask;
  useKeptFocus(card, isAnswering);
  useForgottenDrafts(eventId, sending.state === 'sent');

  const answer = (verdict: Verdict): void => {
    if (canAnswer && (verdict.result === 'deny' || given.isWhole)) {
      setFile(false);
      post({ type: 'confirm', clientId: sending.begin(), eventId, ...verdict });
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      return;
    }
    const act = keys(event.key.toLowerCase());
    if (act !== undefined) {
      event.preventDefault();
      act();
    }
  };
  const keys = (key: string): (() => void) | undefined => {
    if (key === 'arrowright' || key === 'arrowleft') {
      return onStep === undefined ? undefined : () => onStep(key === 'arrowright' ? 1 : -1);
    }
    if (ask.kind !== 'confirmation') {
      return undefined;
    }
    switch (key) {
      case 'a':
        return () => answer({ result: 'allow' });
      case 'd':
        return () => answer({ result: 'deny' });
      case 'r':
        return () => setReasonOpen(canAnswer);
      default:
        return undefined;
    }
  };

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on the card as a whole
    <article class="ask" ref={card} tabIndex={0} aria-labelledby={nameId} onKeyDown={onKeyDown}>
      <h3 class="ask-name" id={nameId}>
        <Icon name={ask.kind === 'confirmation' ? 'waiting' : 'tool'} />
        <span>{toQuestion(ask, t)}</span>
      </h3>
      <p class="ask-hint">
        {[
          ask.threadName !== undefined || ask.thread !== undefined ? t('Thread {0}', toLabel(ask.threadName ?? ask.thread ?? '')) : '',
          ask.at === undefined ? '' : toMoment(ask.at, locale, Date.now()),
        ]
          .filter(words => words !== '')
          .join(' · ')}
      </p>
      <ArgumentsView ask={ask} given={given} onShow={onShow} />
      {isUnanswered ? <p class="ask-problem">{t('The answer changed nothing: the session still waits.')}</p> : null}
      {sending.state === 'failed' && sending.problem !== undefined ? (
        <p class="ask-problem" role="alert">
          <Icon name="error" /> {t('The answer was not sent:')} {visible(sending.problem)}
        </p>
      ) : null}
      {!canWrite ? (
        <p class="ask-hint">{t('It cannot be answered from here.')}</p>
      ) : isAnswering ? (
        <p class="ask-answering">
          <Icon name="running" spin />
          {isFile && sending.state === 'sending'
            ? t('Choose a file…')
            : sending.state === 'sent'
              ? t('Answered. The session goes on soon.')
              : t('Answering…')}
        </p>
      ) : ask.kind === 'confirmation' ? (
        <>
          <Confirmation
            eventId={eventId}
            canAnswer={canAnswer}
            allowWaitsFor={given.isWhole ? '' : t('Allow becomes possible when all arguments are here.')}
            isReasonOpen={isReasonOpen}
            onReasonOpen={isOpen => {
              setReasonOpen(isOpen);
              if (!isOpen) {
                card.current?.focus();
              }
            }}
            onVerdict={answer}
          />
          <p class="ask-hint">{t('With the focus on this card, A allows, D denies, and R denies with a reason.')}</p>
        </>
      ) : (
        <CustomToolResult
          eventId={eventId}
          canAnswer={canAnswer}
          onResult={(text, isError) => {
            setFile(false);
            post({ type: 'customResult', clientId: sending.begin(), eventId, text, isError });
          }}
          onFile={() => {
            setFile(true);
            post({ type: 'customResultFromFile', clientId: sending.begin(), eventId });
          }}
        />
      )}
    </article>
  );
}

/** What is asked, in one line. */
export function toQuestion({ kind, tool, server }: Ask, t: Translate): string {
  const name = server === undefined ? toLabel(tool) : t('{0} of {1}', toLabel(tool), toLabel(server));
  return kind === 'confirmation' ? t('May {0} be used?', name) : t('{0} waits for its result', name);
}

function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), settlingTime);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}

/** Whether an answer was taken and the session asks the same again: then it can be answered again. */
function useUnanswered({ answering }: Ask, sending: Sending): boolean {
  const [isUnanswered, setUnanswered] = useState(false);
  const wasAnswering = useRef(false);
  useEffect(() => {
    if (wasAnswering.current && answering !== true && sending.state === 'sent') {
      setUnanswered(true);
      sending.reset();
    }
    wasAnswering.current = answering === true;
  }, [answering, sending]);
  return isUnanswered && sending.state === 'none' && answering !== true;
}

/** Keeps the focus in the card when the button that had it gives way to words. */
function useKeptFocus(card: RefObject<HTMLElement | null>, isAnswering: boolean): void {
  const hadFocus = useRef(false);
  hadFocus.current = card.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (isAnswering && hadFocus.current) {
      card.current?.focus();
    }
  }, [isAnswering, card]);
}

/** What was written for an answer is kept until the answer has gone. */
function useForgottenDrafts(eventId: string, isSent: boolean): void {
  const { memory } = useContext(Panel);
  useEffect(() => {
    if (isSent) {
      for (const name of ['reason', 'result', 'resultIsError']) {
        memory.set(`${name} ${eventId}`, undefined);
      }
    }
  }, [isSent, eventId, memory]);
}
