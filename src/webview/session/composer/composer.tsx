import type { VNode } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import './composer.css';
import type { SessionView } from '../../../shared/session/sessionView';
import { toLabel } from '../../../shared/text';
import { Button } from '../controls/button';
import { Icon } from '../controls/icon';
import { toCount } from '../controls/numbers';
import { useRemembered, useRememberedFlag } from '../controls/remembered';
import { createClientId } from '../controls/useSending';
import { Panel, type SendResults } from '../panelContext';
import { visible } from '../text/visibleText';
import { InterruptButton } from './interruptButton';
import { OutcomeForm } from './outcomeForm';
import { stepThrough, toMemory, toSentHistory, withSent } from './sentHistory';

/** Characters that travel to the host in one message. */
const longestMessage = 1_000_000;
/** From here on the number of characters is told. */
const longMessage = 20_000;

interface ComposerProps {
  /** Thread that is shown; '' is the session's own log. */
  readonly thread: string;
  readonly canSend: boolean;
  /** Why not, in words. */
  readonly whyNot?: string | undefined;
  /** What was written before the panel was loaded; it is kept by whoever owns this. */
  readonly draft: string;
  readonly onDraft: (draft: string) => void;
  readonly sendResults: SendResults;
  readonly view: SessionView;
  /** Another number than before takes the keyboard here. */
  readonly focusToken?: number;
}

/**
 * Where the user writes to the session. Enter sends, Shift+Enter breaks the line; up and down at the edges of the text walk
 * through what was sent. What could not be sent comes back, above what was written since.
 */
export function Composer({ thread, canSend, whyNot, draft, onDraft, sendResults, view, focusToken = 0 }: ComposerProps): VNode {
  const { t, locale, post, announce } = useContext(Panel);
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, write } = useText(draft, onDraft, field);
  const [memory, remember] = useRemembered('history', '[]');
  const [history, setHistory] = useState(() => toSentHistory(memory));
  const [notice, setNotice] = useState('');
  const [isOutcomeOpen, setOutcomeOpen] = useRememberedFlag('outcomeForm', false);
  // Whether it was opened here, and not before a reload of the panel.
  const [isOutcomeNew, setOutcomeNew] = useState(false);
  const closeOutcome = (): void => {
    setOutcomeOpen(false);
    field.current?.focus();
  };
  const noteId = useId();
  const onSent = useReturned(sendResults, (failed, problem) => {
    const isAlone = text === '';
    write(isAlone ? failed : `${failed}\n\n${text}`, isAlone ? failed.length : failed.length + 2 + (field.current?.selectionStart ?? 0));
    setNotice(t('Your message was not sent: {0}', problem));
    announce(t('Your message was not sent. It is back in the field.'));
  });
  const focusedToken = useRef(0);
  useEffect(() => {
    if (focusedToken.current !== focusToken) {
      focusedToken.current = focusToken;
      field.current?.focus();
    }
  }, [focusToken]);

  const isTooLong = text.length > longestMessage;
  const canSendThis = canSend && text.trim() !== '' && !isTooLong;
  const send = (): void => {
    if (!canSendThis) {
      return;
    }
    const clientId = createClientId();
    onSent(clientId, text);
    post({ type: 'send', clientId, text });
    const next = withSent(history, text);
    setHistory(next);
    remember(toMemory(next));
    setNotice('');
    write('', 0);
    field.current?.focus();
  };
  const step = (by: -1 | 1): boolean => {
    const stepped = stepThrough(history, by, text);
    if (stepped !== undefined) {
      setHistory(stepped.history);
      write(stepped.text, by === -1 ? 0 : stepped.text.length);
    }
    return stepped !== undefined;
  };
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }): void => {
    // 229: some input methods end a composition with an Enter that does not say so.
    if (event.isComposing || event.keyCode === 229 || event.altKey) {
      return;
    }
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && selectionStart === selectionEnd;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (!event.repeat) {
        send();
      }
    } else if (
      (event.key === 'ArrowUp' && isPlain && selectionStart === 0 && step(-1)) ||
      (event.key === 'ArrowDown' && isPlain && selectionEnd === value.length && step(1))
    ) {
      event.preventDefault();
    }
  };
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData?.getData('text/plain').length ?? 0;
    if (pasted + text.length > longestMessage) {
      event.preventDefault();
      const sizes = [toCount(pasted, locale), toCount(longestMessage, locale)] as const;
      setNotice(t('What you pasted has {0} characters; a message has at most {1}. Give it to the session as a file.', ...sizes));
    }
  };

  const other = view.threads.find(({ id, isPrimary }) => id === thread && !isPrimary);
  const isRunning = view.state === 'running' || view.state === 'rescheduling';
  return (
    <section class="composer" aria-label={t('Message')}>
      {isOutcomeOpen ? <OutcomeForm canSend={canSend} sendResults={sendResults} takesFocus={isOutcomeNew} onClose={closeOutcome} /> : null}
      {notice === '' ? null : (
        <div class="composer-notice" role="alert">
          <Icon name="error" />
          <span>{visible(notice)}</span>
          <Button look="icon" icon="cross" label={t('Dismiss')} onClick={() => setNotice('')} />
        </div>
      )}
      <textarea
        class={text.length > longMessage ? 'field composer-field composer-field-long' : 'field composer-field'}
        ref={field}
        rows={1}
        aria-label={t('Message to the agent')}
        aria-describedby={noteId}
        placeholder={canSend ? t('Message to the agent') : ''}
        value={text}
        onInput={event => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div class="composer-buttons">
        <p class={canSend ? 'composer-note' : 'composer-note composer-why'} id={noteId}>
          {!canSend ? (
            <>
              <Icon name="info" /> {whyNot === undefined ? t('Nothing can be sent now.') : visible(whyNot)}
            </>
          ) : (
            [
              text.length > longMessage ? t('{0} of {1} characters.', toCount(text.length, locale), toCount(longestMessage, locale)) : '',
              other === undefined ? '' : t('It goes to the main thread, not to {0}.', toLabel(other.name)),
              isRunning ? t('The session is running: your message will be queued.') : '',
              t('Enter sends, Shift+Enter breaks the line.'),
            ]
              .filter(words => words !== '')
              .join(' ')
          )}
        </p>
        <Button
          disabled={!canSend}
          isExpanded={isOutcomeOpen}
          onClick={() => {
            setOutcomeNew(true);
            setOutcomeOpen(!isOutcomeOpen);
          }}
        >
          {t('Define Outcome…')}
        </Button>
        {canSend ? <InterruptButton thread={thread} view={view} /> : null}
        <Button look="primary" icon="send" disabled={!canSendThis} onClick={send}>
          {t('Send')}
        </Button>
      </div>
    </section>
  );
}

/** The text of the field, at first the draft; `write` puts the caret to a place when one is given. */
function useText(
  draft: string,
  onDraft: (draft: string) => void,
  field: { readonly current: HTMLTextAreaElement | null },
): { readonly text: string; readonly write: (text: string, caret?: number) => void } {
  const [text, setText] = useState(draft);
  const caret = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (caret.current !== undefined) {
      field.current?.setSelectionRange(caret.current, caret.current);
      caret.current = undefined;
    }
  });
  return {
    text,
    write: (value, place) => {
      caret.current = place;
      setText(value);
      onDraft(value);
    },
  };
}

/** Watches what becomes of sent texts, and calls once with each that could not be sent, in the order they were sent. */
function useReturned(
  sendResults: SendResults,
  onFailed: (text: string, problem: string) => void,
): (clientId: string, text: string) => void {
  const { t } = useContext(Panel);
  const pending = useRef(new Map<string, string>());
  useEffect(() => {
    const failed: string[] = [];
    let problem = '';
    for (const [clientId, text] of pending.current) {
      const result = sendResults.get(clientId);
      if (result !== undefined) {
        pending.current.delete(clientId);
        if (!result.ok) {
          failed.push(text);
          problem = result.problem ?? t('The message was not sent.');
        }
      }
    }
    if (failed.length > 0) {
      onFailed(failed.join('\n\n'), problem);
    }
  });
  return (clientId, text) => pending.current.set(clientId, text);
}
