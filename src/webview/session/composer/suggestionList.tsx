import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { visible } from '../../controls/text/visibleText';
import type { Suggestion } from './suggestions';

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
            <span class="suggestions-label">{visible(item.label)}</span> <span class="suggestions-detail">{visible(item.detail)}</span>
          </div>
        ))}
      </div>
      {none === '' ? null : <p class="composer-note">{visible(none)}</p>}
    </div>
  );
}
