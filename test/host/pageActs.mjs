// @ts-check
import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

/** What shows that an act was done: a selector, or what it finds. */
/** @typedef {string | Locator} Effect */

/** Milliseconds for each try at an act: soon again where VS Code lost it, patient where the machine is slow. */
const patience = [4000, 8000, 16_000, 32_000, 60_000];

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
   * Acts until `effect` is seen, which is not there before. One that is on its way out is waited for, since it would show of nothing
   * that it was done; one that stays came by itself. An effect that comes late is not acted for again.
   * @param {Effect} effect
   * @param {(timeout: number) => Promise<unknown>} act
   */
  async untilSeen(effect, act) {
    await this.#find(effect)
      .waitFor({ state: 'hidden', timeout: patience[0] })
      .catch(() => undefined);
    await this.untilThere(effect, act);
  }

  /**
   * Acts until `effect` is seen, which can be there before.
   * @param {Effect} effect
   * @param {(timeout: number) => Promise<unknown>} act
   */
  async untilThere(effect, act) {
    const seen = this.#find(effect);
    await this.untilDone(async timeout => {
      if (!(await seen.isVisible())) {
        await act(timeout);
      }
      await seen.waitFor({ timeout });
    });
  }

  /**
   * Acts until `effect` is gone, which is there before.
   * @param {Effect} effect
   * @param {(timeout: number) => Promise<unknown>} act
   */
  async untilGone(effect, act) {
    const gone = this.#find(effect);
    await this.untilDone(async timeout => {
      if (await gone.isVisible()) {
        await act(timeout);
      }
      await gone.waitFor({ state: 'hidden', timeout });
    });
  }

  /**
   * Clicks until the click shows its effect.
   * @param {Effect} target
   * @param {Effect} effect what was not there before
   */
  async click(target, effect) {
    await this.untilSeen(effect, timeout => this.#find(target).click({ timeout }));
  }

  /**
   * Presses a key until that shows its effect.
   * @param {string} key Playwright's names: `Control+Shift+P`
   * @param {Effect} effect what was not there before
   */
  async press(key, effect) {
    await this.untilSeen(effect, () => this.page.keyboard.press(key));
  }

  /**
   * Acts until `effect` is seen, or only once where there is none to wait for because `act` proves itself what it did.
   * @protected
   * @param {Effect | undefined} effect
   * @param {(timeout: number) => Promise<unknown>} act
   */
  async doFor(effect, act) {
    await (effect === undefined ? this.untilDone(act) : this.untilSeen(effect, act));
  }

  /** @param {Effect} effect */
  #find(effect) {
    return (typeof effect === 'string' ? this.page.locator(effect) : effect).first();
  }
}

/**
 * For a selector.
 * @param {string} text
 */
export function quoted(text) {
  return JSON.stringify(text);
}
