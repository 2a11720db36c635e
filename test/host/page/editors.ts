import { pagePatience } from '../browserWindow.mjs';
import { lineShowsWords } from './inPage.mjs';
import type { Effect } from './pageActs';
import { QuickInputs } from './quickInputs';

const activeEditor = '.editor-group-container.active .monaco-editor';

/** Text editors: text, code lenses, links, hovers. */
export class Editors extends QuickInputs {
  /** Presses a code lens of the active editor until `effect` is visible. */
  async codeLens(text: string | RegExp, effect: Effect) {
    const lens = this.page.locator(`${activeEditor} .codelens-decoration a`, { hasText: text });
    await this.click(lens, effect);
  }

  /** Returns the code lenses on screen, once one of them contains `text`. */
  async codeLenses(text: string | RegExp = '') {
    await this.page.locator('.codelens-decoration a', { hasText: text }).first().waitFor();
    return await this.page.locator('.codelens-decoration a').allInnerTexts();
  }

  /** Waits until a line on screen that contains `text` has a decoration with `words`. */
  async answerShown(words: string, text = '', timeout = pagePatience) {
    const shown = { lines: '.view-line', text, words, isShown: true };
    await this.page.waitForFunction(lineShowsWords, shown, { polling: 100, timeout });
  }

  /** Returns whether no line on screen has a decoration with `words`. */
  async isAnswerHidden(words: string) {
    return await this.page.evaluate(lineShowsWords, { lines: '.view-line', text: '', words, isShown: false });
  }

  /** Waits until no line on screen has a decoration with `words`. */
  async noAnswerShown(words: string, timeout = pagePatience) {
    const gone = { lines: '.view-line', text: '', words, isShown: false };
    await this.page.waitForFunction(lineShowsWords, gone, { polling: 100, timeout });
  }

  /** Waits until the cursor is in a line, 1-based. VS Code 1.105 sometimes omits the position in its status bar. */
  async cursorInLine(line: number, timeout = pagePatience) {
    await this.page
      .locator(`${activeEditor} .active-line-number`, { hasText: new RegExp(`^\\s*${line}\\s*$`) })
      .first()
      .waitFor({ timeout });
  }

  /** Returns the lines of the active editor that are on screen, decorations included. */
  async editorText() {
    const lines = this.page.locator(`${activeEditor} .view-lines .view-line`);
    await lines.first().waitFor();
    const placed = await lines.evaluateAll(all => all.map(line => [line.getBoundingClientRect().top, line.textContent ?? '']));
    return placed
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, text]) => String(text).replaceAll('\u00a0', ' '))
      .join('\n');
  }

  /** Returns the title of the active editor's tab. */
  async activeTab() {
    const tab = this.page.locator('.editor-group-container.active .tab.active').first();
    await tab.waitFor();
    return (await tab.getAttribute('data-resource-name')) ?? (await tab.innerText());
  }

  /** Moves the mouse over the first occurrence of `text` in the active editor. Returns the text of the hover. */
  async hoverAt(text: string | RegExp) {
    const shown = this.page.locator(`${activeEditor} .view-lines span > span`, { hasText: text }).first();
    const hover = this.page.locator('.monaco-hover:not(.hidden) .hover-contents').first();
    return await this.untilDone(async timeout => {
      // The editor looks for hovers when the mouse comes to rest, not when it rests already.
      await this.page.mouse.move(0, 0);
      await shown.hover({ timeout });
      await hover.waitFor({ timeout });
      return await hover.innerText({ timeout });
    });
  }
}
