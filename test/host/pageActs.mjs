// @ts-check
import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

/** Milliseconds for each try at an act: soon again where VS Code lost it, patient where the machine is slow. */
const patience = [4000, 8000, 16_000];

/** What a person does in a page, and does again when it had no effect. */
export class PageActs {
  /**
   * @param {Page} page
   * @param {string | undefined} screenshotFolder absent takes no pictures
   */
  constructor(page, screenshotFolder) {
    this.page = page;
    this.screenshotFolder = screenshotFolder;
  }

  /**
   * Writes a PNG of the page, or of the first match of `selector`, and gives its path; where no pictures are asked for, it
   * takes none and gives ''.
   * @param {string} name
   * @param {string} [selector]
   */
  async screenshot(name, selector) {
    if (this.screenshotFolder === undefined) {
      return '';
    }
    mkdirSync(this.screenshotFolder, { recursive: true });
    const file = path.join(this.screenshotFolder, `${name}.png`);
    const subject = selector === undefined ? this.page : this.page.locator(selector).first();
    await subject.screenshot({ path: file, animations: 'disabled', caret: 'initial' });
    return file;
  }

  /** @param {string} selector */
  async click(selector) {
    await this.page.locator(selector).first().click();
  }

  /** @param {string} key Playwright's names: `Control+Shift+P` */
  async press(key) {
    await this.page.keyboard.press(key);
  }

  /** @param {string} text */
  async type(text) {
    await this.page.keyboard.type(text);
  }

  /** @param {string} selector */
  async waitFor(selector) {
    await this.page.locator(selector).first().waitFor();
  }

  /** @param {string} selector */
  async waitForNone(selector) {
    await this.page.locator(selector).first().waitFor({ state: 'hidden' });
  }

  /** @param {string} selector */
  async texts(selector) {
    return await this.page.locator(selector).allInnerTexts();
  }

  /** @param {string} selector */
  async count(selector) {
    return await this.page.locator(selector).count();
  }

  /**
   * Does something that VS Code may lose or undo under a user's hands (it draws rows anew below the mouse, closes pickers when
   * focus moves, restores views after a reload), again when it did, as a user would. `act` waits for its own effect, at most
   * as long as it is told, and can be begun anew from wherever it failed.
   * @template T
   * @param {(timeout: number) => Promise<T>} act
   * @returns {Promise<T>}
   */
  async untilDone(act) {
    for (const timeout of patience.slice(0, -1)) {
      try {
        return await act(timeout);
      } catch {
        // Once more.
      }
    }
    return await act(patience.at(-1) ?? 0);
  }

  /**
   * Acts until something that `effect` finds is seen, which is not there before. An effect that comes late is not acted for again.
   * @param {Locator} effect
   * @param {(timeout: number) => Promise<unknown>} act
   */
  async untilSeen(effect, act) {
    const seen = effect.first();
    await this.untilDone(async timeout => {
      if (!(await seen.isVisible())) {
        await act(timeout);
      }
      await seen.waitFor({ timeout });
    });
  }
}

/**
 * For a selector.
 * @param {string} text
 */
export function quoted(text) {
  return JSON.stringify(text);
}
