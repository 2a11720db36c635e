/**
 * Does something with the keyboard at once where this page has it, else once it comes back: `focus()` in a page takes the keyboard even
 * from a question that VS Code asks.
 */
export function whenFocused(act: () => void): void {
  if (document.hasFocus()) {
    act();
  } else {
    window.addEventListener('focus', act, { once: true });
  }
}
