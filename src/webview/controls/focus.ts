import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

type ElementRef = { readonly current: HTMLElement | null };

/**
 * Calls `act`, which may call `focus()`, as soon as this page has the focus. Otherwise `focus()` would take the focus even from a prompt of
 * VS Code.
 */
export function whenFocused(act: () => void): void {
  if (document.hasFocus()) {
    act();
  } else {
    window.addEventListener('focus', act, { once: true });
  }
}

/** Focuses an element each time the number changes, except to 0. If the element is a field, also selects its text. */
export function useFocusToken(element: ElementRef, token: number): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (token > 0 && current !== null) {
      current.focus({ preventScroll: !current.matches('input, textarea') });
      if (current instanceof HTMLInputElement) {
        current.select();
      }
    }
  }, [token]);
}

/** Calls `onLost` when a change of `state` removes an element that has the focus, or its focused content. */
export function useLostFocus(element: ElementRef, state: unknown, onLost: () => void): void {
  const hadFocus = useRef(false);
  hadFocus.current = element.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (hadFocus.current && element.current?.contains(document.activeElement) !== true) {
      whenFocused(onLost);
    }
  }, [state]);
}

/** Calls a handler for each key pressed in the page. */
export function useWindowKeys(onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => latest.current(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/** Handles the keys of a form. Ctrl+Enter, or Command+Enter on a Mac, sends the form. Escape closes the form. */
export function onFormKey(event: KeyboardEvent, send: () => void, close?: () => void): void {
  if (event.key === 'Escape' && close !== undefined) {
    event.stopPropagation();
    close();
  } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing && !event.repeat) {
    event.preventDefault();
    send();
  }
}

/** Returns whether a key event is Ctrl+F, or Command+F on a Mac. */
export function isFindKey({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'f';
}
