import type { VNode } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Button } from './button';

export interface MenuItem {
  readonly label: string;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}

/** A button that opens a menu. Arrow keys move in the menu. Escape or a click outside closes the menu. */
export function Menu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }): VNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const move = (event: KeyboardEvent): void => {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('button:enabled') ?? [])];
    const from = entries.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      entries.at(to % entries.length)?.focus();
    } else if (event.key === 'Tab') {
      list.current?.hidePopover();
    }
    event.stopPropagation();
  };
  return (
    <>
      <Button
        kind="icon"
        icon="more"
        label={label}
        isExpanded={isOpen}
        hasMenu
        buttonRef={button}
        onClick={() => (isOpen ? list.current?.hidePopover() : list.current?.showPopover())}
      />
      <div
        id={id}
        ref={list}
        class="menu"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        onKeyDown={move}
        onToggle={event => {
          const opens = (event as unknown as { readonly newState: string }).newState === 'open';
          setOpen(opens);
          if (opens && list.current !== null && button.current !== null) {
            moveBeside(list.current, button.current.getBoundingClientRect());
            list.current.querySelector<HTMLElement>('button:enabled')?.focus();
          }
        }}
      >
        {items.map(({ label: words, disabled, onSelect }) => (
          <button
            key={words}
            type="button"
            role="menuitem"
            tabIndex={-1}
            disabled={disabled}
            onClick={() => {
              list.current?.hidePopover();
              onSelect();
            }}
          >
            {words}
          </button>
        ))}
      </div>
    </>
  );
}

function moveBeside(menu: HTMLElement, { top, bottom, right }: DOMRect): void {
  const isBelow = bottom + menu.offsetHeight <= innerHeight || top < innerHeight - bottom;
  menu.style.left = `${Math.max(4, Math.min(right, innerWidth - 4) - menu.offsetWidth)}px`;
  menu.style.top = `${Math.max(4, isBelow ? bottom : top - menu.offsetHeight)}px`;
}
