import type { RefObject, VNode } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import { Panel } from '../../controls/panelContext';
import type { useMessage } from './useMessage';
import type { Suggestions } from './useSuggestions';
import { visible } from '../../controls/text/visibleText';
import type { Suggestion } from './suggestions';

/** Length from which the number of characters is shown. */
export const longMessage = 20_000;

interface MessageFieldProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly message: ReturnType<typeof useMessage>;
  readonly suggestions: Suggestions;
  readonly canSend: boolean;
  /** True for the message that starts a session. */
  readonly isFirst: boolean;
  /** Id of the element with the hint about the message. */
  readonly noteId: string;
}

/** The message field with its completion list. The focus stays in the field. */
export function MessageField({ field, message, suggestions, canSend, isFirst, noteId }: MessageFieldProps): VNode {
  const { t } = useContext(Panel);
  const listId = useId();
  const { isOpen, kind, items, active, none } = suggestions;
  return (
    <>
      {isOpen ? (
        <SuggestionList
          {...{ id: listId, items, active, none, onChoose: suggestions.choose }}
          name={kind === 'file' ? t('Files of the workspace') : t('Commands and prompts')}
        />
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
          suggestions.look(event.currentTarget);
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

interface SuggestionListProps {
  readonly id: string;
  readonly name: string;
  readonly items: readonly Suggestion[];
  readonly active: number;
  /** Reason why the list is empty; '' if it isn't, or if that isn't known yet. */
  readonly none: string;
  readonly onChoose: (item: Suggestion) => void;
}

/** Returns the id of an option, for `aria-activedescendant` of the field. */
export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}

/** Completions for the text being typed. The focus stays in the field, which names the active option. */
export function SuggestionList({ id, name, items, active, none, onChoose }: SuggestionListProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active, items]);
  return (
    <div class="suggestions">
      <div class="suggestions-list" role="listbox" id={id} aria-label={name} ref={list}>
        {items.map((item, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the keyboard, and names the active one
          // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the field
          <div
            key={item.id}
            id={optionId(id, index)}
            class="suggestions-item"
            role="option"
            aria-selected={index === active}
            // Keeps the focus in the field.
            onMouseDown={event => event.preventDefault()}
            onClick={() => onChoose(item)}
          >
            <span class="suggestions-label">{visible(item.label)}</span>{' '}
            <span class="suggestions-detail faint cutEnd">{visible(item.detail)}</span>
          </div>
        ))}
      </div>
      {none === '' ? null : <p class="composer-note">{visible(none)}</p>}
    </div>
  );
}
