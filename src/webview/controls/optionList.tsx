import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { visible } from './text/visibleText';

interface OptionListProps<Option> {
  readonly id: string;
  readonly label: string;
  readonly options: readonly Option[];
  /** Index of the active option. -1 if there is no active option. */
  readonly active: number;
  readonly onChoose: (option: Option) => void;
}

/** Returns the id of an option, for `aria-activedescendant` of the field. */
export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}

/** Completions for the text being typed. The focus stays in the field, which names the active option. */
export function OptionList<Option extends { readonly label: string; readonly detail: string }>(props: OptionListProps<Option>): VNode {
  const { id, label, options, active, onChoose } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active, options]);
  return (
    <div class="options" role="listbox" id={id} aria-label={label} ref={list}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={index}
          id={optionId(id, index)}
          class="option hoverable"
          role="option"
          aria-selected={index === active}
          // Keeps the focus in the field.
          onMouseDown={event => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          <span class="option-label">{visible(option.label)}</span> <span class="faint cutEnd">{visible(option.detail)}</span>
        </div>
      ))}
    </div>
  );
}
