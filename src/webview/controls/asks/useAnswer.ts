import type { RefObject } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Ask } from '../../../shared/session/openAsks';
import type { FromWebview } from '../../../shared/session/sessionProtocol';
import { useLostFocus } from '../focus';
import { Panel } from '../panelContext';
import { type Sending, useSending } from '../useSending';

/** Delay before a new card can be answered, in milliseconds. An earlier click may be meant for the previous card. */
const settlingTime = 500;

type AnswerMessage = Extract<FromWebview, { readonly type: 'confirm' | 'customResult' | 'customResultFromFile' }>;
type Unsent<T> = T extends unknown ? Omit<T, 'clientId' | 'eventId'> : never;

/** Tracks the answer to one ask: whether the ask can be answered now, and the state of sending the answer. Keeps the focus in the card. */
export function useAnswer(ask: Ask, canWrite: boolean, card: RefObject<HTMLElement | null>) {
  const { post } = useContext(Panel);
  const [isFile, setFile] = useState(false);
  const sending = useSending();
  const { kind, tool, server, thread, input } = ask;
  // True once the ask has been visible long enough that a click is meant for it.
  const isSettled = useSettled(JSON.stringify([kind, tool, server, thread, input]));
  // True if the session still asks although an answer was sent.
  const isUnanswered = useUnanswered(ask, sending);
  const isAnswering = ask.answering === true || sending.state === 'sending' || sending.state === 'sent';
  const { eventId } = ask;
  // While an answer is sent, a text replaces the focused button.
  useLostFocus(card, isAnswering, () => card.current?.focus());
  useForgottenDrafts(eventId, sending.state === 'sent');
  const send = (message: Unsent<AnswerMessage>): void => {
    setFile(message.type === 'customResultFromFile');
    post({ ...message, clientId: sending.start(), eventId });
  };
  return { sending, canAnswer: canWrite && isSettled && !isAnswering, isSettled, isAnswering, isUnanswered, isFile, send };
}

/** Returns whether `asked` has been unchanged long enough that a click is meant for it. */
export function useSettled(asked: string): boolean {
  const [settled, settle] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => settle(asked), settlingTime);
    return () => clearTimeout(timer);
  }, [asked]);
  return settled === asked;
}

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

/** Returns the SHA-256 of a text in hexadecimal. `undefined` until the hash is computed. */
export function useFingerprint(text: string): string | undefined {
  const [known, setKnown] = useState<{ readonly text: string; readonly hash: string }>();
  useEffect(() => {
    crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)).then(digest => {
      const hash = Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('');
      setKnown({ text, hash });
    });
  }, [text]);
  return known?.text === text ? known.hash : undefined;
}
