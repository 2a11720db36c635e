// @ts-check
import { setTimeout as wait } from 'node:timers/promises';
import { pagePatience } from './browserWindow.mjs';
import { isWrittenDown } from './inPage.mjs';
import { quoted } from './pageActs.mjs';
import { picker } from './quickInputs.mjs';
import { SideBar } from './sideBar.mjs';

const themes = {
  dark: { name: 'Dark Modern', mark: 'vs-dark' },
  light: { name: 'Light Modern', mark: 'vs' },
  highContrast: { name: 'Dark High Contrast', mark: 'hc-black' },
};

/**
 * The workbench as a person sees it in its page: everything here goes through the mouse, the keyboard and what is drawn.
 * Where a method takes words to find something by, a string is looked for anywhere in it, whatever its case.
 */
export class WorkbenchPage extends SideBar {
  /** Settles when the workbench is drawn. */
  async ready() {
    await this.waitFor('.monaco-workbench .part.statusbar .statusbar-item');
  }

  /** Message and detail of the modal dialog that is open. */
  async dialogText() {
    const box = this.page.locator('.monaco-dialog-box').first();
    await box.waitFor();
    return (await box.locator('.dialog-message-container').first().innerText()).trim();
  }

  /**
   * Presses a button of the modal dialog.
   * @param {string | RegExp} label
   */
  async dialogButton(label) {
    const box = await this.page.locator('.monaco-dialog-box').first().elementHandle();
    await this.untilDone(async timeout => {
      // The element tells this dialog from another one that follows it at once.
      if (await box?.isVisible()) {
        await this.page.locator('.monaco-dialog-box .monaco-button', { hasText: label }).first().click({ timeout });
      }
      await box?.waitForElementState('hidden', { timeout });
    });
  }

  /**
   * The tab of the sheet of a file, as a selector.
   * @param {string} file
   */
  sheetTab(file) {
    return `.tab[aria-label^=${quoted(`Create Batch - ${file}`)}]`;
  }

  /**
   * The frame of the sheet of a file, once the file has been checked.
   * @param {string} file
   * @param {number} [timeout] milliseconds
   */
  async sheet(file, timeout = pagePatience) {
    return await this.webview(`.sheet:has(h1:has-text(${quoted(file)})) .section`, timeout);
  }

  /**
   * Settles when the sheet of a file says something, and says all of it at one place.
   * @param {string} file
   * @param {string | RegExp} words
   */
  async sheetSays(file, words) {
    await this.untilDone(async timeout => {
      await (await this.sheet(file, timeout)).getByText(words).first().waitFor({ timeout });
    });
  }

  /**
   * All that the sheet of a file says, once it says these words: until then it may not know all.
   * @param {string} file
   * @param {...(string | RegExp)} words
   */
  async sheetText(file, ...words) {
    for (const each of words) {
      await this.sheetSays(file, each);
    }
    return await (await this.sheet(file)).locator('.sheet').innerText();
  }

  /**
   * Presses a button of the sheet of a file; with `effect` until that is seen.
   * @param {string} file
   * @param {string | RegExp} name
   * @param {import('./pageActs.mjs').Effect} [effect] what was not there before
   */
  async sheetButton(file, name, effect) {
    await this.doFor(effect, async timeout => {
      await (await this.sheet(file, timeout)).getByRole('button', { name }).first().click({ timeout });
    });
  }

  /**
   * Presses what sends, in the sheet of a file; settles when it is being sent.
   * @param {string} file
   * @param {string | RegExp} [label]
   */
  async createFromSheet(file, label = /^Create (?:Another )?Batch of/) {
    const tab = this.page.locator(this.sheetTab(file)).first();
    let isPressed = false;
    await this.untilDone(async timeout => {
      if (isPressed && !(await tab.isVisible())) {
        return;
      }
      const frame = await this.sheet(file, timeout);
      const button = frame.locator('.foot .button-primary', { hasText: label });
      // From here on: on a slow machine a click that did its work can be told as one that took too long.
      isPressed = true;
      await button.and(frame.locator('[aria-disabled="false"]')).click({ timeout });
      const isSending = button.and(frame.locator('[aria-disabled="true"]')).waitFor({ timeout });
      await Promise.any([tab.waitFor({ state: 'hidden', timeout }), isSending]);
    });
  }

  /**
   * Closes the sheet of a file by its button.
   * @param {string} file
   */
  async closeSheet(file) {
    const tab = this.page.locator(`.tab[aria-label*=${quoted(` - ${file}`)}]`).first();
    await this.untilDone(async timeout => {
      if (await tab.isVisible()) {
        await (await this.sheet(file, timeout)).getByRole('button', { name: 'Close', exact: true }).click({ timeout });
      }
      await tab.waitFor({ state: 'hidden', timeout });
    });
  }

  /**
   * Waits for a notification that holds `text`, and gives the whole of it.
   * @param {string | RegExp} text
   */
  async notification(text) {
    const toast = this.toast(text);
    await toast.waitFor();
    return await toast.innerText();
  }

  /**
   * Presses a button of the notification that holds `text`, which closes it.
   * @param {string | RegExp} text
   * @param {string | RegExp} label
   */
  async notificationButton(text, label) {
    const button = this.toast(text).locator('.notification-list-item-buttons-container .monaco-button', { hasText: label }).first();
    let isPressed = false;
    await this.untilDone(async timeout => {
      if (isPressed && !(await button.isVisible())) {
        return;
      }
      // The element tells this notification from another one with the same words that follows it at once.
      const element = await button.elementHandle({ timeout });
      isPressed = true;
      await button.click({ timeout });
      await element?.waitForElementState('hidden', { timeout });
    });
  }

  /** The notifications on screen. */
  async notifications() {
    return await this.page.locator('.notification-toast .notification-list-item').allInnerTexts();
  }

  /**
   * The notification that holds `text`, capitals and all: "Fetching results of a.jsonl: " is none of "Results of a.jsonl: ".
   * @param {string | RegExp} text
   */
  toast(text) {
    const hasText = typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)) : text;
    return this.page.locator('.notification-toast .notification-list-item', { hasText }).first();
  }

  /** How many errors and warnings the status bar shows for the whole window. */
  async problemsCount() {
    const label = (await this.page.locator('.statusbar-item#status\\.problems a').first().getAttribute('aria-label')) ?? '';
    return { errors: Number(/Errors: (\d+)/.exec(label)?.[1] ?? 0), warnings: Number(/Warnings: (\d+)/.exec(label)?.[1] ?? 0) };
  }

  /** The rows of the Problems view, which it opens. */
  async problems() {
    const rows = this.page.locator('.markers-panel .monaco-list-row');
    await this.runCommand('Problems: Focus on Problems View', rows);
    return await rows.allInnerTexts();
  }

  /**
   * Waits for a status bar item that holds `text`, and gives its text.
   * @param {string | RegExp} text
   */
  async statusBarItem(text) {
    const item = this.page.locator('.statusbar-item', { hasText: text }).first();
    await item.waitFor();
    return await item.innerText();
  }

  /**
   * Clicks a status bar item until the question shows that it asks.
   * @param {string | RegExp} text
   */
  async clickStatusBarItem(text) {
    await this.click(this.page.locator('.statusbar-item a', { hasText: text }), picker);
  }

  /**
   * Switches the colour theme through its picker.
   * @param {keyof typeof themes} kind
   */
  async theme(kind) {
    const { name, mark } = themes[kind];
    await this.untilDone(async timeout => {
      await this.runCommandOnce('Preferences: Color Theme', timeout);
      const input = this.page.locator(`${picker} input[type="text"]`).first();
      await input.fill(name, { timeout });
      await this.page
        .locator(`${picker} .monaco-list-row[aria-label^=${quoted(name)}]`)
        .first()
        .waitFor({ timeout });
      await input.press('Enter', { timeout });
      await this.page.locator(picker).waitFor({ state: 'hidden', timeout });
      await this.page.locator(`.monaco-workbench.${mark}`).waitFor({ timeout });
    });
  }

  /**
   * Takes a picture: as it stands, or, where TEST_THEMES is `all`, one in each of three themes.
   * @param {string} name
   */
  async pictures(name) {
    if (this.screenshotFolder === undefined || process.env.TEST_THEMES !== 'all') {
      await this.screenshot(name);
      return;
    }
    for (const kind of /** @type {const} */ (['dark', 'light', 'highContrast'])) {
      await this.theme(kind);
      await this.screenshot(`${name}-${kind}`);
    }
  }

  /**
   * Settles when VS Code has written down `text` among what it keeps of the window, which it does every few seconds. Asked from
   * here: `waitForFunction` takes the promise that a function in the page gives for its answer.
   * @param {string} text
   */
  async writtenDown(text) {
    await this.#writtenDown({ text, isPanel: false });
  }

  /**
   * Settles when VS Code has written down a panel together with what the panel keeps over a reload. The title alone is written down
   * as soon as the panel stands, and a panel that comes back without what it kept closes.
   * @param {string} title
   */
  async panelWrittenDown(title) {
    await this.#writtenDown({ text: title, isPanel: true });
  }

  /** @param {{ text: string, isPanel: boolean }} sought */
  async #writtenDown(sought) {
    while (!(await this.page.evaluate(isWrittenDown, sought))) {
      await wait(100);
    }
  }

  /**
   * The frame of the webview that holds `selector`.
   * @param {string} selector
   * @param {number} timeout milliseconds
   */
  async webview(selector, timeout = pagePatience) {
    const end = Date.now() + timeout;
    while (Date.now() < end) {
      for (const frame of this.page.frames().filter(frame => frame.url().includes('/webview/browser/pre/fake.html'))) {
        // A webview that is just going takes its frame along.
        const count = frame
          .locator(selector)
          .count()
          .catch(() => 0);
        if ((await count) > 0) {
          return frame;
        }
      }
      await wait(50);
    }
    throw new Error(`No webview holds ${selector}.`);
  }
}
