import type { RefObject, VNode } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { OptionList, optionId } from '../../controls/optionList';
import { Panel } from '../../controls/panelContext';
import type { useMessage } from './useMessage';
import type { Suggestions } from './useSuggestions';
import { visible } from '../../controls/text/visibleText';

/** Length from which the number of characters is shown. */
export const longMessage = 20_000;

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
export function MessageField({ field, message, suggestions, canSend, isFirst, noteId }: MessageFieldProps): VNode {
  const { t } = useContext(Panel);
  const listId = useId();
  const { isOpen, kind, items, active, none } = suggestions;
  return (
    <>
      {isOpen ? (
        <div class="suggestions">
          <OptionList
            id={listId}
            label={kind === 'file' ? t('Files of the workspace') : t('Commands and prompts')}
            options={items}
            active={active}
            onChoose={suggestions.choose}
          />
          {none === '' ? null : <p class="composer-note">{visible(none)}</p>}
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
