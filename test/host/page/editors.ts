import { pagePatience } from '../browserWindow.mjs';
import { lineShowsWords } from './inPage.mjs';
import type { Effect } from './pageActs';
import { QuickInputs } from './quickInputs';

const activeEditor = '.editor-group-container.active .monaco-editor';

/** Actions in text editors: text, code lenses, links, hovers. */
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
    const shown = { lines: '.view-line', text, words };
    await this.page.waitForFunction(lineShowsWords, shown, { polling: 100, timeout });
  }

  /** Waits until the cursor is in a line, 1-based. VS Code 1.105 sometimes omits the position in its status bar. */
  async cursorInLine(line: number, timeout = pagePatience) {
    await this.page
      .locator(`${activeEditor} .active-line-number`, { hasText: new RegExp(`^\\s*${line}\\s*$`) })
      .first()
      .waitFor({ timeout });
  }
}
