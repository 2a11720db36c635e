// @ts-check
import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

const themes = {
  dark: { name: 'Dark Modern', mark: 'vs-dark' },
  light: { name: 'Light Modern', mark: 'vs' },
  highContrast: { name: 'Dark High Contrast', mark: 'hc-black' },
};

/**
 * The workbench as a person sees it in its page: everything here goes through the mouse, the keyboard and what is drawn.
 * Where a method takes words to find something by, a string is looked for anywhere in it, whatever its case.
 */
export class WorkbenchPage {
  /**
   * @param {Page} page
   * @param {string} screenshotFolder
   */
  constructor(page, screenshotFolder) {
    this.page = page;
    this.screenshotFolder = screenshotFolder;
  }

  /** Settles when the workbench is drawn. */
  async ready() {
    await this.page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
  }

  /**
   * Writes a PNG of the page, or of the first match of `selector`, and gives its path.
   * @param {string} name
   * @param {string} [selector]
   */
  async screenshot(name, selector) {
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
   * Runs a command by its full title (`Managed Agents: Show Log`) through the command palette.
   * @param {string} title
   */
  async runCommand(title) {
    await this.untilDone(async () => {
      await this.openPicker('F1', `>${title}`);
      await this.page
        .locator(`${picker} .monaco-list-row[aria-label^=${quoted(title)}]`)
        .first()
        .click({ timeout: attempt });
    });
  }

  /**
   * The titles that the command palette offers for some words.
   * @param {string} words
   */
  async paletteTitles(words) {
    await this.openPicker('F1', `>${words}`);
    const rows = this.page.locator(`${picker} .monaco-list-row`);
    await rows.first().waitFor();
    const titles = await rows.evaluateAll(all => all.map(row => row.getAttribute('aria-label') ?? ''));
    await this.page.keyboard.press('Escape');
    return titles;
  }

  /**
   * Opens a file of the workspace by name, as Go to File does.
   * @param {string} name
   */
  async openFile(name) {
    const tab = this.page.locator(`.tabs-container .tab.active[data-resource-name=${quoted(path.basename(name))}]`).first();
    await this.untilDone(async () => {
      await this.openPicker('Control+P', name);
      await this.page
        .locator(`${picker} .monaco-list-row`, { hasText: path.basename(name) })
        .first()
        .click({ timeout: attempt });
    });
    await tab.waitFor();
  }

  /**
   * @param {string} key
   * @param {string} text
   */
  async openPicker(key, text) {
    await this.untilDone(async () => {
      await this.page.keyboard.press(key);
      const input = this.page.locator(`${picker} input[type="text"]`).first();
      await input.waitFor({ timeout: attempt });
      await input.fill(text, { timeout: attempt });
    });
  }

  /**
   * Does something that VS Code may undo under a user's hands (it closes pickers when focus moves, and restores views after a
   * reload), again when it did, as a user would.
   * @param {() => Promise<void>} act
   */
  async untilDone(act) {
    for (let tries = 1; ; tries++) {
      try {
        return await act();
      } catch (error) {
        if (tries === 4) {
          throw error;
        }
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /**
   * Chooses the entry of the open quick pick whose label holds `label`.
   * @param {string | RegExp} label
   */
  async quickPick(label) {
    await this.page.locator(`${picker} .monaco-list-row`, { hasText: label }).first().click();
  }

  /** What the open quick pick offers, one text per entry. */
  async quickPickTexts() {
    const rows = this.page.locator(`${picker} .monaco-list-row`);
    await rows.first().waitFor();
    return await rows.allInnerTexts();
  }

  /**
   * Fills the open input box and accepts it.
   * @param {string} text
   */
  async inputBox(text) {
    await this.fillInput(text);
    await this.page.keyboard.press('Enter');
  }

  /**
   * Fills the open input box without accepting, and gives the message below it.
   * @param {string} text
   */
  async fillInput(text) {
    const input = this.page.locator(`${picker} .quick-input-box input`).first();
    await input.waitFor();
    await input.fill(text);
    return await this.page.locator(`${picker} .quick-input-message`).first().innerText();
  }

  /** Title, prompt and placeholder of the open quick input. */
  async inputTexts() {
    const input = this.page.locator(`${picker} .quick-input-box input`).first();
    await input.waitFor();
    return {
      title: await this.page.locator(`${picker} .quick-input-title`).first().innerText(),
      prompt: await this.page.locator(`${picker} .quick-input-message`).first().innerText(),
      placeholder: (await input.getAttribute('placeholder')) ?? '',
      value: await input.inputValue(),
      isSecret: (await input.getAttribute('type')) === 'password',
    };
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
    await this.page.locator('.monaco-dialog-box .monaco-button', { hasText: label }).first().click();
    await this.page.locator('.monaco-dialog-box').first().waitFor({ state: 'hidden' });
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
   * Presses a button of the notification that holds `text`.
   * @param {string | RegExp} text
   * @param {string | RegExp} label
   */
  async notificationButton(text, label) {
    const toast = this.toast(text);
    await toast.waitFor();
    await toast.hover();
    await toast.locator('.notification-list-item-buttons-container .monaco-button', { hasText: label }).first().click();
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
    await this.untilDone(async () => {
      // A click on the container that is shown would hide it.
      if (!(await shown.isVisible())) {
        await item.click();
      }
      await shown.waitFor({ timeout: attempt });
    });
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
    await row.hover();
    await row
      .locator(`.actions .action-label[aria-label^=${quoted(action)}]`)
      .first()
      .click();
  }

  /**
   * Chooses from the context menu of a tree row.
   * @param {string | RegExp} text
   * @param {string} entry
   */
  async treeMenu(text, entry) {
    await this.row(text).click({ button: 'right' });
    await this.menu(entry);
  }

  /**
   * Chooses from the menu that is open.
   * @param {string} entry
   */
  async menu(entry) {
    const label = `.action-label[aria-label^=${quoted(entry)}]`;
    // A menu takes no click in its first tenth of a second; the entry under the mouse takes Enter at once.
    await this.page.locator(`.monaco-menu .action-item ${label}`).first().hover();
    await this.waitFor(`.monaco-menu .action-item.focused ${label}`);
    await this.page.keyboard.press('Enter');
    await this.waitForNone('.monaco-menu');
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

  /**
   * Presses a code lens.
   * @param {string | RegExp} text
   */
  async codeLens(text) {
    await this.page.locator('.codelens-decoration a', { hasText: text }).first().click();
  }

  /**
   * The code lenses on screen, once there is one that holds `text`.
   * @param {string | RegExp} [text]
   */
  async codeLenses(text = '') {
    await this.page.locator('.codelens-decoration a', { hasText: text }).first().waitFor();
    return await this.page.locator('.codelens-decoration a').allInnerTexts();
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
   * Puts the cursor at a line and column, both from 1.
   * @param {number} line
   * @param {number} column
   */
  async goTo(line, column = 1) {
    await this.openPicker('Control+G', `:${line}:${column}`);
    await this.page.keyboard.press('Enter');
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
   * Rests the mouse on the first place of the active editor that shows `text`, and gives the hover's words.
   * @param {string | RegExp} text
   */
  async hoverAt(text) {
    const shown = this.page.locator(`${activeEditor} .view-lines span > span`, { hasText: text }).first();
    await shown.hover();
    const hover = this.page.locator('.monaco-hover:not(.hidden) .hover-contents').first();
    await hover.waitFor();
    return await hover.innerText();
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
    await this.runCommand('Preferences: Color Theme');
    await this.page.locator(`${picker} input[type="text"]`).first().fill(themes[kind].name);
    await this.page
      .locator(`${picker} .monaco-list-row[aria-label^=${quoted(themes[kind].name)}]`)
      .first()
      .waitFor();
    await this.page.keyboard.press('Enter');
    await this.waitFor(`.monaco-workbench.${themes[kind].mark}`);
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
        if ((await frame.locator(selector).count()) > 0) {
          return frame;
        }
      }
      await this.page.waitForTimeout(100);
    }
    throw new Error(`No webview holds ${selector}.`);
  }
}

/** Milliseconds for one try at something that may be undone meanwhile. */
const attempt = 5000;

const picker = '.quick-input-widget:not([style*="display: none"])';
const sideBar = '.part.sidebar .pane-body';
const activeEditor = '.editor-group-container.active .monaco-editor';

/** @param {string} text */
function quoted(text) {
  return JSON.stringify(text);
}
