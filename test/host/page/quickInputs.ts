import type { Locator } from 'playwright-core';
import { holdsText, quickInputState } from './inPage.mjs';
import { type Effect, PageActs, quoted } from './pageActs';

/** Selector of the open quick input. */
export const picker = '.quick-input-widget:not([style*="display: none"])';

/** Actions in the command palette, quick picks and input boxes. */
export class QuickInputs extends PageActs {
  /** Runs a command by its full title (`Managed Agents: Show Log`) through the command palette until `effect` is visible. */
  async runCommand(title: string, effect: Effect) {
    await this.untilSeen(effect, timeout => this.runCommandOnce(title, timeout));
  }

  /** Chooses a command in the palette once, for callers that wait for its effect themselves. */
  async runCommandOnce(title: string, timeout: number) {
    await this.openPalette(title, timeout);
    await this.acceptRow(this.page.locator(`${picker} .monaco-list-row[aria-label^=${quoted(title)}]`), timeout);
  }

  /** Opens the command palette with these words, after closing any quick input. */
  async openPalette(words: string, timeout: number) {
    await this.closePicker();
    // A focused webview would keep the key press.
    await this.page.locator('.part.activitybar .action-label').first().press('F1', { timeout });
    await this.page.locator(`${picker} input[type="text"]`).first().fill(`>${words}`, { timeout });
  }

  async closePicker() {
    await this.untilGone(picker, () => this.page.keyboard.press('Escape'));
  }

  /**
   * Chooses a row of the open list with the arrow keys and Enter. Settles when the list has closed or asks the next question. A click
   * could hit another row, because the list renders its rows again while it fills.
   */
  async acceptRow(row: Locator, timeout: number) {
    await this.page.locator(`${picker} .monaco-list-row`).first().waitFor({ timeout });
    const wanted = row.and(this.page.locator('.focused')).first();
    // VS Code returns the focus to a webview a moment after an answer, even if the next question is already open.
    const input = this.page.locator(`${picker} input[type="text"]`).first();
    const end = Date.now() + timeout;
    while (!(await wanted.isVisible())) {
      if (Date.now() > end) {
        throw new Error(`The list offers no ${row}.`);
      }
      await input.press('ArrowDown', { timeout });
    }
    await this.#accept(input, timeout);
  }

  /** Chooses the entry of the open quick pick whose label contains `label`, until `effect` is visible if there is one. */
  async quickPick(label: string | RegExp, effect?: Effect) {
    const row = this.page.locator(`${picker} .monaco-list-row`, { hasText: label });
    await this.doFor(effect, timeout => this.acceptRow(row, timeout));
  }

  /** Returns the texts of the entries of the open quick pick. */
  async quickPickTexts() {
    const rows = this.page.locator(`${picker} .monaco-list-row`);
    await rows.first().waitFor();
    return await rows.allInnerTexts();
  }

  /** Fills the open input box and accepts it. Settles when it has closed or asks the next question. */
  async inputBox(text: string, effect?: Effect) {
    await this.doFor(effect, async timeout => {
      const input = this.page.locator(`${picker} .quick-input-box input`).first();
      await input.fill(text, { timeout });
      await this.#accept(input, timeout);
    });
  }

  /**
   * Chooses a file in the file dialog. The dialog is a quick input, and shows `proposed` once it has read the folder. Settles when it has
   * closed, or when `effect` is visible if the next question is a quick input too.
   */
  async chooseFile(proposed: string, wanted: string, effect?: Effect) {
    const field = `${picker} .quick-input-box input`;
    await this.inputHolds(proposed);
    const choose = async (timeout: number) => {
      const input = this.page.locator(field).first();
      await input.fill(wanted, { timeout });
      // The dialog completes the typed text, and renders it again when it has read a folder.
      await this.page.waitForFunction(holdsText, { field, texts: [wanted] }, { polling: 50, timeout });
      await input.press('Enter', { timeout });
    };
    await (effect === undefined ? this.untilGone(picker, choose) : this.untilSeen(effect, choose));
  }

  /** Waits until the open input box contains exactly `text`. */
  async inputHolds(text: string) {
    await this.page.waitForFunction(holdsText, { field: `${picker} .quick-input-box input`, texts: [text] }, { polling: 50 });
  }

  /** Fills the open input box without accepting it. Returns the message below it. */
  async fillInput(text: string) {
    const input = this.page.locator(`${picker} .quick-input-box input`).first();
    await input.waitFor();
    await input.fill(text);
    return await this.page.locator(`${picker} .quick-input-message`).first().innerText();
  }

  /** Presses Enter. Settles when the quick input has closed or asks the next question. */
  async #accept(input: Locator, timeout: number) {
    const before = await this.page.evaluate(quickInputState, undefined);
    await input.press('Enter', { timeout });
    await this.page.waitForFunction(quickInputState, before?.seen, { polling: 50, timeout });
  }
}
