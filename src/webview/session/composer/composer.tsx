import type { RefObject, VNode } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import { type Composing, longestMessage } from '../../../shared/session/composing';
import { isRunning } from '../../../shared/session/facts/sessionState';
import type { SessionView } from '../../../shared/session/sessionView';
import { join } from '../../../shared/text';
import { Button } from '../../controls/button';
import { useFocusToken, useLostFocus } from '../../controls/focus';
import { Icon } from '../../controls/icon';
import { OptionList, optionId } from '../../controls/optionList';
import { Panel, type PanelContext, useRememberedFlag } from '../../controls/panelContext';
import type { SavedState } from '../../controls/savedState';
import { visible } from '../../controls/text/visibleText';
import { AttachedChips, useAttached } from './attachedChips';
import { OutcomeForm } from './outcomeForm';
import { useMessage, usePrompts } from './useMessage';
import { type ComposerAct, type Suggestions, useSuggestions } from './useSuggestions';
import './composer.css';
import type { ThreadView } from '../../../shared/session/threadViews';

interface ComposerProps {
  readonly thread: string;
  readonly canSend: boolean;
  readonly whyNot?: string | undefined;
  /** Unfinished text from before the panel was loaded. The owner of this component saves the draft. */
  readonly draft: string;
  readonly onDraft: (draft: string) => void;
  /** Missing for a session that does not exist yet. */
  readonly view?: SessionView;
  readonly composing?: Composing;
  readonly panelActs?: PanelActs;
  /** Starts a session instead of sending a message. The text stays in the field. With an empty text, only the button starts. */
  readonly start?: { readonly button: string; readonly onStart: (text: string) => void };
  readonly focusToken?: number;
}

/**
 * Text field for messages to the session. Enter sends, and Shift+Enter adds a line. Up and down at the edges of the text step through sent
 * messages. A message that could not be sent is put back above the text typed since.
 */
export function Composer(props: ComposerProps): VNode {
  const { thread, canSend, whyNot, draft, onDraft, view, composing = {}, panelActs, start, focusToken = 0 } = props;
  const panel = useContext(Panel);
  const { t, post } = panel;
  const field = useRef<HTMLTextAreaElement>(null);
  const { files, onLeaving } = useAttached(composing);
  const message = useMessage({ field, canSend, draft, onDraft, files, onLeaving, onStart: start?.onStart });
  const [isOutcomeOpen, setOutcomeOpen] = useRememberedFlag('outcomeForm', false);
  // True if the form was opened now, false if a reload of the panel restored it.
  const [isOutcomeNew, setOutcomeNew] = useState(false);
  const closeOutcome = (): void => {
    setOutcomeOpen(false);
    field.current?.focus();
  };
  const defineOutcome = (): void => {
    setOutcomeNew(true);
    setOutcomeOpen(true);
  };
  const prompts = usePrompts({ composing, message });
  const suggestions = useSuggestions({
    ...{ text: message.text, canSend, composing, onPrompt: prompts.ask },
    acts: () => (view === undefined || panelActs === undefined ? [] : composerActs(panel, panelActs, { view, thread, defineOutcome })),
    replace: ({ start, end }, words) => {
      message.write(`${message.text.slice(0, start)}${words}${message.text.slice(end)}`, start + words.length);
      suggestions.close();
      field.current?.focus();
    },
  });
  const noteId = useId();
  useFocusToken(field, focusToken);

  return (
    <section class="composer" aria-label={t('Message')}>
      {isOutcomeOpen ? <OutcomeForm canSend={canSend} takesFocus={isOutcomeNew} onClose={closeOutcome} /> : null}
      {message.notice === '' ? null : (
        <div class="composer-notice errorBox flexLine" role="alert">
          <Icon name="error" />
          <span>{visible(message.notice)}</span>
          <Button kind="icon" icon="cross" label={t('Dismiss')} onClick={() => message.setNotice('')} />
        </div>
      )}
      <AttachedChips files={files} onLeft={() => field.current?.focus()} />
      <div class="composer-line">
        <MessageField {...{ field, message, suggestions, canSend, noteId }} isFirst={start !== undefined} />
        {prompts.remaining === 0 ? null : (
          <Button kind="link" onClick={() => prompts.selectNext(field.current)}>
            {t('Next Placeholder ({0})', prompts.remaining)}
          </Button>
        )}
        {!canSend && view?.rest?.kind === 'budget' ? (
          <Button onClick={() => post({ type: 'changeBudget' })}>{t('Raise Budget...')}</Button>
        ) : null}
        {canSend && view !== undefined ? <InterruptButton thread={thread} view={view} onLeft={() => field.current?.focus()} /> : null}
        <Button kind="primary" icon="send" disabled={!message.canSend} onClick={message.send}>
          {start?.button ?? t('Send')}
        </Button>
      </div>
      <Note {...{ id: noteId, text: message.text, thread, canSend, whyNot, view }} />
    </section>
  );
}

interface NoteProps extends Pick<ComposerProps, 'thread' | 'canSend' | 'whyNot' | 'view'> {
  readonly id: string;
  readonly text: string;
}

function Note({ id, text, thread, canSend, whyNot, view }: NoteProps): VNode {
  const { t, locale } = useContext(Panel);
  const other = view?.threads.find(({ id: of, isPrimary }) => of === thread && !isPrimary);
  return (
    <p class={canSend ? 'composer-note hint' : 'composer-note hint composer-why'} id={id}>
      {!canSend ? (
        <>
          <Icon name="info" /> {whyNot === undefined ? t("You can't send messages now.") : visible(whyNot)}
        </>
      ) : (
        join(
          ' ',
          text.length > longMessage ? t('{0} of {1} characters.', toNumber(text.length, locale), toNumber(longestMessage, locale)) : '',
          other === undefined ? '' : t('Sends to the main thread.'),
          isRunning(view?.state) ? t('The session is running: your message will be queued.') : '',
        )
      )}
    </p>
  );
}

/** Returns the draft of the message, which survives a reload of the panel, and its setter. */
export function useDraft(saved: SavedState): readonly [draft: string, setDraft: (draft: string) => void] {
  const [draft, setDraft] = useState(saved.state.draft ?? saved.state.given ?? '');
  return [
    draft,
    text => {
      saved.update({ draft: text });
      setDraft(text);
    },
  ];
}

interface PanelActs {
  readonly onExport: () => void;
  readonly onSearch: () => void;
  readonly onKeys: () => void;
  /** Returns the key of the row from which a new session can continue, or `undefined` if there is none. */
  readonly lastKey: () => string | undefined;
}

/** Returns the actions that are possible now. Each is also a button of the panel. */
function composerActs(
  { post, t }: Pick<PanelContext, 'post' | 't'>,
  { onExport, onSearch, onKeys, lastKey }: PanelActs,
  { view, thread, defineOutcome }: { readonly view: SessionView; readonly thread: string; readonly defineOutcome: () => void },
): readonly ComposerAct[] {
  const key = lastKey();
  const { other, isThere } = interruptible(view, thread);
  const interrupt = (): void => post({ type: 'interrupt', ...(other === undefined ? {} : { thread }) });
  return [
    ...(isThere ? [{ name: 'interrupt', detail: t('Interrupt'), run: interrupt }] : []),
    { name: 'outcome', detail: t('Define Outcome...'), run: defineOutcome },
    { name: 'export', detail: t('Export...'), run: onExport },
    ...(key === undefined ? [] : [{ name: 'again', detail: t('Start Again From Here...'), run: () => post({ type: 'startAgain', key }) }]),
    { name: 'resources', detail: t('Session Resources...'), run: () => post({ type: 'manageResources' }) },
    ...(view.budget === undefined ? [] : [{ name: 'budget', detail: t('Change Budget...'), run: () => post({ type: 'changeBudget' }) }]),
    { name: 'search', detail: t('Search the timeline'), run: onSearch },
    { name: 'keys', detail: t('Keyboard Shortcuts'), run: onKeys },
  ];
}

/** Length from which the number of characters is shown, in characters. */
const longMessage = 20_000;

interface MessageFieldProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly message: ReturnType<typeof useMessage>;
  readonly suggestions: Suggestions;
  readonly canSend: boolean;
  /** True for the message that starts a session. */
  readonly isFirst: boolean;
  readonly noteId: string;
}

/** The message field with its completion list. The focus stays in the field. */
function MessageField({ field, message, suggestions, canSend, isFirst, noteId }: MessageFieldProps): VNode {
  const { t } = useContext(Panel);
  const listId = useId();
  const { isOpen, kind, items, active, none } = suggestions;
  return (
    <>
      {isOpen ? (
        <div class="suggestions">
          <OptionList
            id={listId}
            label={kind === 'file' ? t('Workspace files') : t('Commands and prompts')}
            options={items}
            active={active}
            onChoose={suggestions.choose}
          />
          {none === '' ? null : <p class="composer-note hint">{visible(none)}</p>}
        </div>
      ) : null}
      <textarea
        class={message.text.length > longMessage ? 'field composer-field composer-field-long' : 'field composer-field'}
        ref={field}
        rows={1}
        aria-label={t('Message to the agent')}
        aria-describedby={noteId}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen && active >= 0 ? optionId(listId, active) : undefined}
        placeholder={
          isFirst
            ? t('What should the agent do? (@ to attach, / for prompts)')
            : canSend
              ? t('Message the agent (@ to attach, / for commands)')
              : ''
        }
        value={message.text}
        onInput={event => {
          message.write(event.currentTarget.value);
          suggestions.check(event.currentTarget);
        }}
        onSelect={event => suggestions.follow(event.currentTarget)}
        onBlur={suggestions.close}
        onKeyDown={event => {
          if (!suggestions.onKeyDown(event)) {
            message.onKeyDown(event);
          }
        }}
        onPaste={message.onPaste}
      />
    </>
  );
}

/** Time after which the user can interrupt again if nothing has happened, in milliseconds. */
const patience = 10_000;

/**
 * Returns the thread to interrupt, its state, and whether it can be interrupted now. `other` is the displayed thread if it belongs to a
 * sub-agent. `undefined` means the session.
 */
function interruptible(
  view: SessionView,
  thread: string,
): { readonly other: ThreadView | undefined; readonly state: string; readonly isThere: boolean } {
  const other = view.threads.find(({ id, isPrimary }) => id === thread && !isPrimary);
  const own = view.state === 'failed' ? view.status : view.state;
  const state = other === undefined ? own : other.waiting > 0 ? 'waiting' : other.status;
  return { other, state, isThere: isRunning(state) || state === 'waiting' };
}

/** Interrupts the session, or the displayed thread of a sub-agent. Hidden while nothing can be interrupted. */
function InterruptButton({ thread, view, onLeft }: { thread: string; view: SessionView; onLeft: () => void }): VNode | null {
  const { t, post } = useContext(Panel);
  const { other, state, isThere } = interruptible(view, thread);
  const [asked, setAsked] = useState<string>();
  const interruption = `${thread} ${state}`;
  useEffect(() => {
    if (asked === undefined) {
      return undefined;
    }
    if (asked !== interruption) {
      setAsked(undefined);
      return undefined;
    }
    const timer = setTimeout(() => setAsked(undefined), patience);
    return () => clearTimeout(timer);
  }, [asked, interruption]);
  const button = useRef<HTMLButtonElement>(null);
  useLostFocus(button, isThere, onLeft);
  if (!isThere) {
    return null;
  }
  const isAsked = asked === interruption;
  return (
    <Button
      icon="stop"
      buttonRef={button}
      isBusy={isAsked}
      onClick={() => {
        setAsked(interruption);
        post({ type: 'interrupt', ...(other === undefined ? {} : { thread }) });
      }}
    >
      {isAsked ? t('Interrupting…') : other === undefined ? t('Interrupt') : t('Interrupt Thread')}
    </Button>
  );
}
