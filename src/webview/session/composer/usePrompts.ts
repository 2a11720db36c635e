import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Composing, placeholdersOf } from '../../../shared/session/composing';
import { Panel } from '../../controls/panelContext';
import type { useMessage } from './useMessage';

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
    /** Requests the text of a prompt. It is inserted before the current text, with its first placeholder selected. */
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
