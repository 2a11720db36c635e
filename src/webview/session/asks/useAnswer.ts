import type { RefObject } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Ask } from '../../../shared/session/openAsksAt';
import type { FromWebview } from '../../../shared/session/sessionProtocol';
import { whenFocused } from '../../whenFocused';
import { type Sending, useSending } from '../controls/useSending';
import { Panel, type SendResults } from '../panelContext';

/** Milliseconds in which a card that has just come cannot be answered: what was aimed at may have been something else. */
const settlingTime = 500;

type AnswerMessage = Extract<FromWebview, { readonly type: 'confirm' | 'customResult' | 'customResultFromFile' }>;
type Unsent<T> = T extends unknown ? Omit<T, 'clientId' | 'eventId'> : never;

interface Answer {
  readonly sending: Sending;
  readonly canAnswer: boolean;
  /** Whether it has stood there long enough to be meant. */
  readonly isSettled: boolean;
  readonly isAnswering: boolean;
  /** Whether an answer was taken and the session asks the same again. */
  readonly isUnanswered: boolean;
  /** Whether the answer comes from a file that the user chooses. */
  readonly isFile: boolean;
  readonly send: (message: Unsent<AnswerMessage>) => void;
}

/** The answer to one ask: whether it can be given now, and what becomes of it. The focus stays in the card. */
export function useAnswer(ask: Ask, canWrite: boolean, sendResults: SendResults, card: RefObject<HTMLElement | null>): Answer {
  const { post } = useContext(Panel);
  const [isFile, setFile] = useState(false);
  const sending = useSending(sendResults);
  const { kind, tool, server, thread, input } = ask;
  const isSettled = useSettled(JSON.stringify([kind, tool, server, thread, input]));
  const isUnanswered = useUnanswered(ask, sending);
  const isAnswering = ask.answering === true || sending.state === 'sending' || sending.state === 'sent';
  const { eventId } = ask;
  useKeptFocus(card, isAnswering);
  useForgottenDrafts(eventId, sending.state === 'sent');
  const send = (message: Unsent<AnswerMessage>): void => {
    setFile(message.type === 'customResultFromFile');
    post({ ...message, clientId: sending.begin(), eventId });
  };
  return { sending, canAnswer: canWrite && isSettled && !isAnswering, isSettled, isAnswering, isUnanswered, isFile, send };
}

/** Returns whether `asked` has stayed the same long enough that a click is meant for it. */
export function useSettled(asked: string): boolean {
  const [settled, settle] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => settle(asked), settlingTime);
    return () => clearTimeout(timer);
  }, [asked]);
  return settled === asked;
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
      whenFocused(() => card.current?.focus());
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
