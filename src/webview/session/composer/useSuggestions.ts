import { useContext, useEffect, useState } from 'preact/hooks';
import type { Composing } from '../../../shared/session/composing';
import { Panel } from '../../controls/panelContext';

/** A panel action that the composer offers after `/`. */
export interface ComposerAct {
  readonly name: string;
  readonly detail: string;
  readonly run: () => void;
}

interface Choice extends Suggestion {
  readonly choose: (trigger: Trigger) => void;
}

interface SuggestionsOptions {
  readonly text: string;
  readonly canSend: boolean;
  readonly composing: Composing;
  readonly acts: () => readonly ComposerAct[];
  readonly replace: (trigger: Trigger, text: string) => void;
  readonly onPrompt: (name: string) => void;
}

export type Suggestions = ReturnType<typeof useSuggestions>;

/** Completes the text before the caret. Offers files after `@`. Offers panel actions and the user's prompts after `/` at the start. */
export function useSuggestions({ text, canSend, composing, acts, replace, onPrompt }: SuggestionsOptions) {
  const { t, post, announce } = useContext(Panel);
  const [caret, setCaret] = useState<number>();
  const [active, setActive] = useState(0);
  const [dismissed, dismiss] = useState<string>();
  const trigger = caret === undefined || !canSend ? undefined : triggerAt(text, caret);
  const triggerId = trigger && `${trigger.kind} ${trigger.start}`;
  const { kind = 'file', query = '' } = trigger ?? {};
  const isWanted = trigger !== undefined && triggerId !== dismissed;

  useEffect(() => {
    setActive(0);
    if (isWanted && kind === 'file') {
      post({ type: 'findFiles', query });
    }
  }, [isWanted, triggerId, query]);
  useEffect(() => {
    if (isWanted && kind === 'command') {
      post({ type: 'listPrompts' });
    }
    if (triggerId === undefined) {
      dismiss(undefined);
    }
  }, [isWanted, triggerId]);

  const { filesFound, prompts } = composing;
  const commands = (): readonly Choice[] => [
    ...acts().map(({ name, detail, run }) => ({
      ...{ id: `act ${name}`, label: name, detail },
      choose: (typed: Trigger) => {
        replace(typed, '');
        run();
      },
    })),
    ...(prompts?.prompts ?? []).map(({ name, detail }) => ({
      ...{ id: `prompt ${name}`, label: name, detail: detail === '' ? t('Prompt') : detail },
      choose: (typed: Trigger) => {
        replace(typed, '');
        onPrompt(name);
      },
    })),
  ];
  const files = (): readonly Choice[] =>
    (filesFound?.files ?? []).map(({ id, name, folder }) => ({
      ...{ id, label: name, detail: folder },
      choose: (typed: Trigger) => {
        replace(typed, `@${folder === '' ? '' : `${folder}/`}${name} `);
        post({ type: 'attachFile', id });
      },
    }));
  const items = !isWanted ? [] : kind === 'file' ? files() : matching(commands(), query);
  const isStale = kind === 'file' && filesFound?.query !== query;
  const problem = kind === 'file' ? filesFound?.problem : prompts?.problem;
  const none = !isWanted
    ? ''
    : (problem ?? (kind === 'file' && items.length === 0 && !isStale ? t('No file of the workspace has this name.') : ''));
  const isOpen = isWanted && (items.length > 0 || none !== '');
  const shown = Math.min(active, items.length - 1);
  useEffect(() => {
    if (isOpen && !isStale) {
      announce(items.length === 0 ? none : items.length === 1 ? t('1 suggestion') : t('{0} suggestions', items.length));
    }
  }, [isOpen, isStale, items.length]);

  const choose = (item: Suggestion): void => {
    if (trigger !== undefined) {
      items.find(({ id }) => id === item.id)?.choose(trigger);
    }
  };
  /** Called after typing: checks the text before the caret. */
  const check = (field: HTMLTextAreaElement): void =>
    setCaret(field.selectionStart === field.selectionEnd ? field.selectionStart : undefined);
  return {
    ...{ isOpen, kind, items, active: shown, none, choose, check },
    /** Called after the caret moved: updates an open list. */
    follow: (field: HTMLTextAreaElement): unknown => caret !== undefined && check(field),
    close: () => setCaret(undefined),
    /** Handles a key. Returns whether the key was meant for the list. */
    onKeyDown: (event: KeyboardEvent): boolean => {
      if (!isOpen || event.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
        return false;
      }
      const current = items[shown];
      if (event.key === 'Escape') {
        dismiss(triggerId);
      } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && items.length > 0) {
        setActive((shown + (event.key === 'ArrowDown' ? 1 : -1) + items.length) % items.length);
      } else if ((event.key === 'Enter' || event.key === 'Tab') && current !== undefined && !event.repeat) {
        // An item of an outdated list must not be chosen.
        if (!isStale) {
          choose(current);
        }
      } else {
        return false;
      }
      event.preventDefault();
      return true;
    },
  };
}

/** Text before the caret that can be completed: `/` and a word as the whole text, or `@` and the start of a file name anywhere. */
interface Trigger {
  readonly kind: 'command' | 'file';
  /** Text after the `/` or `@`. */
  readonly query: string;
  /** Offset of the `/` or `@`, and of the caret. */
  readonly start: number;
  readonly end: number;
}

interface Suggestion {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
}

const longestQuery = 200;

/** Returns the text before the caret that can be completed, or `undefined` if there is none. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(Math.max(0, caret - longestQuery - 2), caret);
  const offset = caret - before.length;
  if (offset === 0 && before.startsWith('/') && !/[\s/]/.test(before.slice(1))) {
    return { kind: 'command', query: before.slice(1), start: 0, end: caret };
  }
  const at = before.lastIndexOf('@');
  const query = before.slice(at + 1);
  const isFree = at === 0 ? offset === 0 : /[\s("'`[]/.test(before.charAt(at - 1));
  return at !== -1 && isFree && query.length <= longestQuery && !/\s/.test(query)
    ? { kind: 'file', query, start: offset + at, end: caret }
    : undefined;
}

/** Returns the items whose name starts with the query, followed by all other items whose name contains the query. Ignores case. */
export function matching<T extends Suggestion>(all: readonly T[], query: string): readonly T[] {
  const wanted = query.toLowerCase();
  const matches = all.map(item => ({ item, at: item.label.toLowerCase().indexOf(wanted) }));
  return [...matches.filter(({ at }) => at === 0), ...matches.filter(({ at }) => at > 0)].map(({ item }) => item);
}
