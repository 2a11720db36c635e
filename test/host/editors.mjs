// @ts-check
import { pagePatience } from './browserWindow.mjs';
import { isCursorAtProblem, lineShowsWords } from './inPage.mjs';
import { QuickInputs } from './quickInputs.mjs';

const activeEditor = '.editor-group-container.active .monaco-editor';

/** The editors as they are drawn: text, lenses, links, hovers. */
export class Editors extends QuickInputs {
  /**
   * Presses a code lens of the active editor until `effect` is seen.
   * @param {string | RegExp} text
   * @param {import('./pageActs.mjs').Effect} effect what was not there before
   */
  async codeLens(text, effect) {
    const lens = this.page.locator(`${activeEditor} .codelens-decoration a`, { hasText: text });
    await this.click(lens, effect);
  }

  /**
   * The code lenses on screen, once there is one that holds `text`.
   * @param {string | RegExp} [text]
   */
  async codeLenses(text = '') {
    await this.page.locator('.codelens-decoration a', { hasText: text }).first().waitFor();
    return await this.page.locator('.codelens-decoration a').allInnerTexts();
  }

  /**
   * Settles when a line on screen that holds `text` shows `words` of ours in it, which are no text of its document.
   * @param {string} words
   * @param {string} [text]
   * @param {number} [timeout] milliseconds
   */
  async answerShown(words, text = '', timeout = pagePatience) {
    const shown = { lines: '.view-line', text, words, isShown: true };
    await this.page.waitForFunction(lineShowsWords, shown, { polling: 100, timeout });
  }

  /** @param {string} words whether no line on screen shows them now */
  async isAnswerHidden(words) {
    return await this.page.evaluate(lineShowsWords, { lines: '.view-line', text: '', words, isShown: false });
  }

  /**
   * Settles when no line on screen shows `words` of ours any more.
   * @param {string} words
   * @param {number} [timeout] milliseconds
   */
  async noAnswerShown(words, timeout = pagePatience) {
    const gone = { lines: '.view-line', text: '', words, isShown: false };
    await this.page.waitForFunction(lineShowsWords, gone, { polling: 100, timeout });
  }

  /**
   * Follows a link of the active editor; settles when `effect`, a selector of what was not there before, is drawn.
   * @param {string | RegExp} text
   * @param {string} effect
   */
  async followLink(text, effect) {
    const link = this.page.locator(`${activeEditor} .view-line .detected-link`, { hasText: text }).first();
    await this.untilSeen(effect, async timeout => {
      await link.hover({ timeout });
      // A click of Playwright's own would wait for the link, which is being replaced by the place it leads to.
      const box = await link.boundingBox({ timeout });
      if (box === null) {
        throw new Error(`The link ${text} went away.`);
      }
      await this.page.keyboard.down('Control');
      try {
        await this.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      } finally {
        await this.page.keyboard.up('Control');
      }
    });
  }

  /**
   * Settles when the cursor of the active editor stands in a line, from 1. The status bar does not tell: VS Code 1.105 leaves
   * the place out now and then when a link led there.
   * @param {number} line
   * @param {number} [timeout] milliseconds
   */
  async cursorInLine(line, timeout = pagePatience) {
    await this.page
      .locator(`${activeEditor} .active-line-number`, { hasText: new RegExp(`^\\s*${line}\\s*$`) })
      .first()
      .waitFor({ timeout });
  }

  /** Settles when the cursor of the active editor stands at the begin of a problem that is underlined there. */
  async cursorAtProblem() {
    await this.page.waitForFunction(isCursorAtProblem, activeEditor, { polling: 100 });
  }

  /** The lines of the active editor that are on screen, decorations included. */
  async editorText() {
    const lines = this.page.locator(`${activeEditor} .view-lines .view-line`);
    await lines.first().waitFor();
    const placed = await lines.evaluateAll(all => all.map(line => [line.getBoundingClientRect().top, line.textContent ?? '']));
    return placed
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, text]) => String(text).replaceAll('\u00a0', ' '))
      .join('\n');
  }

  /** Title of the active editor's tab. */
  async activeTab() {
    const tab = this.page.locator('.editor-group-container.active .tab.active').first();
    await tab.waitFor();
    return (await tab.getAttribute('data-resource-name')) ?? (await tab.innerText());
  }

  /**
   * Rests the mouse on the first place of the active editor that shows `text`, and gives the hover's words.
   * @param {string | RegExp} text
   */
  async hoverAt(text) {
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
