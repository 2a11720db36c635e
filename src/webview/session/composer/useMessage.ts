import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import { jsonOf } from '../../../shared/jsonOf';
import { type AttachedFile, type Composing, longestMessage, placeholdersOf } from '../../../shared/session/composing';
import { listOf } from '../../../shared/session/eventFields';
import { Panel, Sends, useRemembered } from '../../controls/panelContext';
import { createClientId } from '../../controls/useSending';

interface MessageOptions {
  readonly field: { readonly current: HTMLTextAreaElement | null };
  readonly canSend: boolean;
  readonly draft: string;
  readonly onDraft: (draft: string) => void;
  readonly files: readonly AttachedFile[];
  readonly onLeaving: (clientId: string, files: readonly AttachedFile[]) => void;
  /**
   * Receives the message instead of the session. The text stays in the field. Enter does not send an empty message, but the button does.
   */
  readonly onStart?: ((text: string) => void) | undefined;
}

/** Manages the message being written: sends it, restores it if sending fails, and steps through sent messages. */
export function useMessage({ field, canSend, draft, onDraft, files, onLeaving, onStart }: MessageOptions) {
  const { t, locale, post, announce } = useContext(Panel);
  const { text, write } = useText(draft, onDraft, field);
  const [memory, remember] = useRemembered('history', '[]');
  const [history, setHistory] = useState(() => toSentHistory(memory));
  const [notice, setNotice] = useState('');
  const onSent = useReturned((failed, problem) => {
    const isAlone = text === '';
    write(isAlone ? failed : `${failed}\n\n${text}`, isAlone ? failed.length : failed.length + 2 + (field.current?.selectionStart ?? 0));
    setNotice(t('Your message was not sent: {0}', problem));
    announce(t("Message not sent. It's back in the input field."));
  });
  const canSendThis = canSend && (onStart !== undefined || text.trim() !== '') && text.length <= longestMessage;
  const send = (): void => {
    if (!canSendThis) {
      return;
    }
    if (onStart !== undefined) {
      onStart(text);
      return;
    }
    const clientId = createClientId();
    onSent(clientId, text);
    onLeaving(clientId, files);
    post({ type: 'send', clientId, text, ...(files.length > 0 && { files: files.map(({ id, as }) => ({ id, as })) }) });
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
    // Some input methods end a composition with an Enter that lacks `isComposing` but has the code 229.
    if (event.isComposing || event.keyCode === 229 || event.altKey) {
      return;
    }
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && selectionStart === selectionEnd;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (!event.repeat && text.trim() !== '') {
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
      const sizes = [toNumber(pasted, locale), toNumber(longestMessage, locale)] as const;
      setNotice(t('The pasted text has {0} characters; a message can have {1}. Attach it as a file.', ...sizes));
    }
  };
  return { text, write, canSend: canSendThis, send, notice, setNotice, onKeyDown, onPaste };
}

function useText(draft: string, onDraft: (draft: string) => void, field: { readonly current: HTMLTextAreaElement | null }) {
  const [text, setText] = useState(draft);
  const selection = useRef<readonly [number, number]>(undefined);
  useLayoutEffect(() => {
    if (selection.current !== undefined) {
      field.current?.setSelectionRange(...selection.current);
      selection.current = undefined;
    }
  });
  return {
    text,
    /** Sets the text. Places the caret at `start`, or selects the text from `start` to `end`. */
    write: (value: string, start?: number, end = start): void => {
      selection.current = start === undefined ? undefined : [start, end ?? start];
      setText(value);
      onDraft(value);
    },
  };
}

/** Calls `onFailed` with the texts that could not be sent, joined in the order they were sent. */
function useReturned(onFailed: (text: string, problem: string) => void): (clientId: string, text: string) => void {
  const { t } = useContext(Panel);
  const sendResults = useContext(Sends);
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
          problem = result.problem ?? t('Not sent.');
        }
      }
    }
    if (failed.length > 0) {
      onFailed(failed.join('\n\n'), problem);
    }
  });
  return (clientId, text) => pending.current.set(clientId, text);
}

/** Sent messages, newest last, and the user's position among them. */
export interface SentHistory {
  readonly sent: readonly string[];
  /** Index of the displayed message. `sent.length` is the current draft. */
  readonly position: number;
  /** The draft from before the user stepped back. */
  readonly draft: string;
}

const maxMessages = 50;
const maxCharacters = 100_000;

/** Parses the output of `toMemory`. Returns an empty history for anything else. */
export function toSentHistory(memory: string): SentHistory {
  const sent = listOf(jsonOf(memory)).filter(text => typeof text === 'string');
  return { sent, position: sent.length, draft: '' };
}

/** Returns the history as a text of bounded length. */
export function toMemory({ sent }: SentHistory): string {
  return JSON.stringify(sent);
}

/** Adds a sent message to the history, unless it repeats the last one. Drops the oldest if there are too many. */
export function withSent({ sent }: SentHistory, text: string): SentHistory {
  const all = text.length > maxCharacters || sent.at(-1) === text ? [...sent] : [...sent, text].slice(-maxMessages);
  let characters = all.reduce((sum, { length }) => sum + length, 0);
  while (characters > maxCharacters) {
    characters -= all.shift()?.length ?? 0;
  }
  return { sent: all, position: all.length, draft: '' };
}

/** Steps back (-1) or forward (1) in the history. Returns the text to show, or `undefined` at the ends. `text` is the text shown now. */
export function stepThrough(
  history: SentHistory,
  by: -1 | 1,
  text: string,
): { readonly history: SentHistory; readonly text: string } | undefined {
  const { sent } = history;
  // A changed message from the history is a new draft.
  const isDraft = history.position >= sent.length || sent[history.position] !== text;
  const position = (isDraft ? sent.length : history.position) + by;
  if (position < 0 || position > sent.length || (isDraft && by === 1)) {
    return undefined;
  }
  const draft = isDraft ? text : history.draft;
  return { history: { sent, position, draft }, text: position === sent.length ? draft : (sent[position] ?? '') };
}

interface PromptsOptions {
  readonly composing: Composing;
  readonly message: Pick<ReturnType<typeof useMessage>, 'text' | 'write' | 'setNotice'>;
}

/** Manages the user's own prompts in the composer. Shows a notice if the host could not handle a file or prompt. */
export function usePrompts({ composing: { prompt, attached }, message }: PromptsOptions) {
  const { post } = useContext(Panel);
  const asked = useRef<string>(undefined);
  const [isPrompt, setPrompt] = useState(false);
  const placeholders = isPrompt ? placeholdersOf(message.text) : [];
  useEffect(() => {
    if (prompt === undefined || prompt.name !== asked.current) {
      return;
    }
    asked.current = undefined;
    if (prompt.problem !== undefined) {
      message.setNotice(prompt.problem);
      return;
    }
    const text = message.text.trim() === '' ? prompt.text : `${prompt.text}\n\n${message.text}`;
    const [first] = placeholdersOf(prompt.text);
    message.write(text, first?.start ?? prompt.text.length, first?.end);
    setPrompt(true);
  }, [prompt]);
  useEffect(() => {
    if (attached?.problem !== undefined) {
      message.setNotice(attached.problem);
    }
  }, [attached]);
  useEffect(() => {
    if (message.text === '') {
      setPrompt(false);
    }
  }, [message.text]);
  return {
    /** Requests the text of a prompt. The prompt is inserted before the current text, with its first placeholder selected. */
    ask: (name: string): void => {
      asked.current = name;
      post({ type: 'readPrompt', name });
    },
    /** Number of placeholders of the prompt still to be filled in. */
    remaining: placeholders.length,
    selectNext: (field: HTMLTextAreaElement | null): void => {
      const next = placeholders.find(({ start }) => start >= (field?.selectionEnd ?? 0)) ?? placeholders[0];
      if (next !== undefined) {
        field?.focus();
        field?.setSelectionRange(next.start, next.end);
      }
    },
  };
}
