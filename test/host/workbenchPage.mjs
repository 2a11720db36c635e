// @ts-check
import { Editors } from './editors.mjs';
import { quoted } from './pageActs.mjs';
import { picker } from './quickInputs.mjs';

const sideBar = '.part.sidebar .pane-body';

const themes = {
  dark: { name: 'Dark Modern', mark: 'vs-dark' },
  light: { name: 'Light Modern', mark: 'vs' },
  highContrast: { name: 'Dark High Contrast', mark: 'hc-black' },
};

/**
 * The workbench as a person sees it in its page: everything here goes through the mouse, the keyboard and what is drawn.
 * Where a method takes words to find something by, a string is looked for anywhere in it, whatever its case.
 */
export class WorkbenchPage extends Editors {
  /** Settles when the workbench is drawn. */
  async ready() {
    await this.page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
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
   * The frame of the sheet of a file, once the file has been checked.
   * @param {string} file
   * @param {number} [timeout] milliseconds
   */
  async sheet(file, timeout = 30_000) {
    return await this.webview(`.sheet:has(h1:has-text(${quoted(file)})) .section`, timeout);
  }

  /**
   * All that the sheet of a file says.
   * @param {string} file
   */
  async sheetText(file) {
    return await (await this.sheet(file)).locator('.sheet').innerText();
  }

  /**
   * Presses a button of the sheet of a file.
   * @param {string} file
   * @param {string | RegExp} name
   */
  async sheetButton(file, name) {
    await this.untilDone(async timeout => {
      await (await this.sheet(file, timeout)).getByRole('button', { name }).first().click({ timeout });
    });
  }

  /**
   * Presses what sends, in the sheet of a file; settles when it is being sent.
   * @param {string} file
   * @param {string | RegExp} [label]
   */
  async createFromSheet(file, label = /^Create (?:Another )?Batch of/) {
    const tab = this.page.locator(`.tab[aria-label^=${quoted(`Create Batch - ${file}`)}]`).first();
    await this.untilDone(async timeout => {
      const frame = await this.sheet(file, timeout);
      const button = frame.locator('.foot .button-primary', { hasText: label });
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
      await button.click({ timeout });
      isPressed = true;
      await element?.waitForElementState('hidden', { timeout });
    });
  }

  /** The notifications on screen. */
  async notifications() {
    return await this.page.locator('.notification-toast .notification-list-item').allInnerTexts();
  }

  async clearNotifications() {
    await this.runCommand('Notifications: Clear All Notifications');
    await this.waitForNone('.notification-toast');
  }

  /** @param {string | RegExp} text */
  toast(text) {
    return this.page.locator('.notification-toast .notification-list-item', { hasText: text }).first();
  }

  /**
   * Shows a view container of the activity bar by its title.
   * @param {string} title
   */
  async openViewContainer(title) {
    const item = this.page.locator(`.activitybar .action-item:has([aria-label^=${quoted(title)}])`).first();
    const shown = this.page.locator('.part.sidebar .composite.title', { hasText: title }).first();
    // A click on the container that is shown would hide it.
    await this.untilSeen(shown, timeout => item.click({ timeout }));
  }

  /**
   * Unfolds one view of the container that is shown and folds the others, so that its rows have all the room.
   * @param {string} name
   */
  async showOnlyView(name) {
    const headers = this.page.locator('.part.sidebar .pane-header');
    await headers.first().waitFor();
    for (const header of await headers.all()) {
      const isWanted = (await header.locator('.title').first().innerText()).toLowerCase() === name.toLowerCase();
      await this.untilDone(async timeout => {
        if ((await header.getAttribute('aria-expanded')) !== String(isWanted)) {
          await header.click({ timeout });
          await header.and(this.page.locator(`[aria-expanded="${isWanted}"]`)).waitFor({ timeout });
        }
      });
    }
  }

  /**
   * Waits for a tree row in the side bar that holds `text`, and gives its texts.
   * @param {string | RegExp} text
   */
  async treeRow(text) {
    const row = this.row(text);
    await row.waitFor();
    return await row.innerText();
  }

  /** The rows of the side bar's trees. */
  async treeRows() {
    return await this.page.locator(`${sideBar} .monaco-list-row`).allInnerTexts();
  }

  /** @param {string | RegExp} text */
  async clickTreeRow(text) {
    await this.row(text).click();
  }

  /**
   * Presses an inline action of a tree row by its title.
   * @param {string | RegExp} text
   * @param {string} action
   */
  async treeAction(text, action) {
    const row = this.row(text);
    const button = row.locator(`.actions .action-label[aria-label^=${quoted(action)}]`).first();
    await this.untilDone(async timeout => {
      await this.page.mouse.move(0, 0);
      await row.hover({ timeout });
      await button.click({ timeout });
    });
  }

  /**
   * Chooses from the context menu of a tree row.
   * @param {string | RegExp} text
   * @param {string} entry
   */
  async treeMenu(text, entry) {
    await this.menuOf(this.row(text), entry);
  }

  /**
   * Chooses from the context menu of what `owner` finds.
   * @param {import('playwright-core').Locator} owner
   * @param {string} entry
   */
  async menuOf(owner, entry) {
    await this.untilDone(async timeout => {
      if (!(await this.page.locator('.monaco-menu').first().isVisible())) {
        await owner.click({ button: 'right', timeout });
      }
      await this.chooseFromMenu(entry, timeout);
    });
  }

  /**
   * Chooses from the menu that is open.
   * @param {string} entry
   */
  async menu(entry) {
    await this.untilDone(timeout => this.chooseFromMenu(entry, timeout));
  }

  /**
   * @param {string} entry
   * @param {number} timeout
   */
  async chooseFromMenu(entry, timeout) {
    const label = `.action-label[aria-label^=${quoted(entry)}]`;
    // A menu takes no click in its first tenth of a second; the entry under the mouse takes Enter at once.
    await this.page.mouse.move(0, 0);
    await this.page.locator(`.monaco-menu .action-item ${label}`).first().hover({ timeout });
    await this.page.locator(`.monaco-menu .action-item.focused ${label}`).first().waitFor({ timeout });
    await this.page.keyboard.press('Enter');
    await this.page.locator('.monaco-menu').first().waitFor({ state: 'hidden', timeout });
  }

  /** The entries of the menu that is open. */
  async menuEntries() {
    await this.waitFor('.monaco-menu .action-item .action-label');
    return (await this.texts('.monaco-menu .action-item .action-label:not(.separator)')).filter(text => text !== '');
  }

  /** @param {string | RegExp} text */
  row(text) {
    return this.page.locator(`${sideBar} .monaco-list-row`, { hasText: text }).first();
  }

  /**
   * Presses a link or button of a view's welcome content.
   * @param {string | RegExp} label
   */
  async welcomeButton(label) {
    await this.page.locator(`${sideBar} .welcome-view-content :is(a, .monaco-button)`, { hasText: label }).first().click();
  }

  /** The welcome content of the side bar's views. */
  async welcomeText() {
    const content = this.page.locator(`${sideBar} .welcome-view-content`).first();
    await content.waitFor();
    return await content.innerText();
  }

  /** How many errors and warnings the status bar shows for the whole window. */
  async problemsCount() {
    const label = (await this.page.locator('.statusbar-item#status\\.problems a').first().getAttribute('aria-label')) ?? '';
    return { errors: Number(/Errors: (\d+)/.exec(label)?.[1] ?? 0), warnings: Number(/Warnings: (\d+)/.exec(label)?.[1] ?? 0) };
  }

  /** The rows of the Problems view, which it opens. */
  async problems() {
    await this.runCommand('Problems: Focus on Problems View');
    const rows = this.page.locator('.markers-panel .monaco-list-row');
    await rows.first().waitFor();
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

  /** @param {string | RegExp} text */
  async clickStatusBarItem(text) {
    await this.page.locator('.statusbar-item a', { hasText: text }).first().click();
  }

  /**
   * Switches the colour theme through its picker.
   * @param {keyof typeof themes} kind
   */
  async theme(kind) {
    const { name, mark } = themes[kind];
    await this.untilDone(async timeout => {
      await this.runCommand('Preferences: Color Theme');
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

  /** Reloads the window as the command does: extensions start anew, storage stays. */
  async reloadWindow() {
    await this.page.reload();
    await this.ready();
  }

  /**
   * The frame of the webview that holds `selector`.
   * @param {string} selector
   * @param {number} timeout milliseconds
   */
  async webview(selector, timeout = 15_000) {
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
      await this.page.waitForTimeout(100);
    }
    throw new Error(`No webview holds ${selector}.`);
  }
}
