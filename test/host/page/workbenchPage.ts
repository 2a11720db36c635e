import { setTimeout as wait } from 'node:timers/promises';
import { pagePatience } from '../browserWindow.mjs';
import { isWrittenDown } from './inPage.mjs';
import { type Effect, quoted } from './pageActs';
import { SideBar } from './sideBar';

/** The workbench as a person uses it, by mouse and keyboard. A string finds any element that contains the string, ignoring case. */
export class WorkbenchPage extends SideBar {
  /** Waits until the workbench is rendered. */
  async ready() {
    await this.waitFor('.monaco-workbench .part.statusbar .statusbar-item');
  }

  /** Returns the message and detail of the open modal dialog. */
  async dialogText() {
    const box = this.page.locator('.monaco-dialog-box').first();
    await box.waitFor();
    return (await box.locator('.dialog-message-container').first().innerText()).trim();
  }

  /** Presses a button of the modal dialog. */
  async dialogButton(label: string | RegExp) {
    const box = await this.page.locator('.monaco-dialog-box').first().elementHandle();
    await this.untilDone(async timeout => {
      // Waits for this element, because another dialog may follow at once.
      if (await box?.isVisible()) {
        await this.page.locator('.monaco-dialog-box .monaco-button', { hasText: label }).first().click({ timeout });
      }
      await box?.waitForElementState('hidden', { timeout });
    });
  }

  /** Returns the selector of the tab of a file's sheet. */
  sheetTab(file: string) {
    return `.tab[aria-label^=${quoted(`Create Batch - ${file}`)}]`;
  }

  /** Returns the frame of a file's sheet, once the file has been checked. */
  async sheet(file: string, timeout = pagePatience) {
    return await this.webview(`.sheet:has(h1:has-text(${quoted(file)})) .section`, timeout);
  }

  /** Waits until one element of a file's sheet contains `words`. */
  async sheetSays(file: string, words: string | RegExp) {
    await this.untilDone(async timeout => {
      await (await this.sheet(file, timeout)).getByText(words).first().waitFor({ timeout });
    });
  }

  /** Presses a button of a file's sheet, until `effect` is visible if there is one. */
  async sheetButton(file: string, name: string | RegExp, effect?: Effect) {
    await this.doFor(effect, async timeout => {
      await (await this.sheet(file, timeout)).getByRole('button', { name }).first().click({ timeout });
    });
  }

  /** Unfolds the details of a file's sheet. */
  async sheetDetails(file: string) {
    const summary = (await this.sheet(file)).locator('.details > summary');
    await this.click(summary, summary.locator('xpath=..').and((await this.sheet(file)).locator('[open]')));
  }

  /** Selects which requests are sent, in a file's sheet. */
  async chooseInSheet(file: string, name: RegExp) {
    await this.untilDone(async timeout => {
      await (await this.sheet(file, timeout)).getByRole('radio', { name }).check({ timeout });
    });
  }

  /** Presses the button that sends, in a file's sheet. Settles when the batch is being sent. */
  async createFromSheet(file: string, label: string | RegExp = /^Send \d/) {
    const tab = this.page.locator(this.sheetTab(file)).first();
    let isPressed = false;
    await this.untilDone(async timeout => {
      if (isPressed && !(await tab.isVisible())) {
        return;
      }
      const frame = await this.sheet(file, timeout);
      const button = frame.locator('.foot .button-primary', { hasText: label });
      // Set before the click, because a successful click can be reported as timed out on a slow machine.
      isPressed = true;
      await button.and(frame.locator('[aria-disabled="false"]')).click({ timeout });
      const isSending = button.and(frame.locator('[aria-disabled="true"]')).waitFor({ timeout });
      await Promise.any([tab.waitFor({ state: 'hidden', timeout }), isSending]);
    });
  }

  /** Closes a file's sheet with its button. */
  async closeSheet(file: string) {
    const tab = this.page.locator(`.tab[aria-label*=${quoted(` - ${file}`)}]`).first();
    await this.untilDone(async timeout => {
      if (await tab.isVisible()) {
        await (await this.sheet(file, timeout)).getByRole('button', { name: 'Close', exact: true }).click({ timeout });
      }
      await tab.waitFor({ state: 'hidden', timeout });
    });
  }

  /** Waits for a notification that contains `text`. Returns all of its text. */
  async notification(text: string | RegExp) {
    const toast = this.toast(text);
    await toast.waitFor();
    return await toast.innerText();
  }

  /** Presses a button of the notification that contains `text`. Resolves once the notification has closed. */
  async notificationButton(text: string | RegExp, label: string | RegExp) {
    const button = this.toast(text).locator('.notification-list-item-buttons-container .monaco-button', { hasText: label }).first();
    let isPressed = false;
    await this.untilDone(async timeout => {
      if (isPressed && !(await button.isVisible())) {
        return;
      }
      // Waits for this element, because another notification with the same words may follow at once.
      const element = await button.elementHandle({ timeout });
      isPressed = true;
      await button.click({ timeout });
      await element?.waitForElementState('hidden', { timeout });
    });
  }

  /** Returns the notifications on screen. */
  async notifications() {
    return await this.page.locator('.notification-toast .notification-list-item').allInnerTexts();
  }

  /** Returns the notification that contains `text`, case-sensitive: "Fetching results of a" doesn't contain "Results of a". */
  toast(text: string | RegExp) {
    const hasText = typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)) : text;
    return this.page.locator('.notification-toast .notification-list-item', { hasText }).first();
  }

  /** Opens the Problems view. Returns its rows. */
  async problems() {
    const rows = this.page.locator('.markers-panel .monaco-list-row');
    await this.runCommand('Problems: Focus on Problems View', rows);
    return await rows.allInnerTexts();
  }

  /** Waits for a status bar item that contains `text`. Returns its text. */
  async statusBarItem(text: string | RegExp) {
    const item = this.page.locator('.statusbar-item', { hasText: text }).first();
    await item.waitFor();
    return await item.innerText();
  }

  /** Waits until VS Code has stored `text` with the state of its window. VS Code stores this state every few seconds. */
  async writtenDown(text: string) {
    await this.#writtenDown({ text, isPanel: false });
  }

  /**
   * Waits until VS Code has stored a panel with its own state. VS Code stores the title earlier, but a panel without its state closes on
   * reload.
   */
  async panelWrittenDown(title: string) {
    await this.#writtenDown({ text: title, isPanel: true });
  }

  async #writtenDown(sought: { text: string; isPanel: boolean }) {
    while (!(await this.page.evaluate(isWrittenDown, sought))) {
      await wait(100);
    }
  }

  /** Returns the frame of the webview that contains `selector`. */
  async webview(selector: string, timeout = pagePatience) {
    const end = Date.now() + timeout;
    while (Date.now() < end) {
      for (const frame of this.page.frames().filter(frame => frame.url().includes('/webview/browser/pre/fake.html'))) {
        // A frame can detach at any time.
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
    throw new Error(`No webview contains ${selector}.`);
  }
}
