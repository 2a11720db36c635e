// @ts-check
import path from 'node:path';
import { quickInputState } from './inPage.mjs';
import { PageActs, quoted } from './pageActs.mjs';

export const picker = '.quick-input-widget:not([style*="display: none"])';

/** Everything that goes through the quick input at the top: palette, Go to File, pickers, input boxes. */
export class QuickInputs extends PageActs {
  /**
   * Runs a command by its full title (`Managed Agents: Show Log`) through the command palette.
   * @param {string} title
   */
  async runCommand(title) {
    await this.untilDone(async timeout => {
      await this.openPicker('F1', `>${title}`, timeout);
      await this.acceptRow(this.page.locator(`${picker} .monaco-list-row[aria-label^=${quoted(title)}]`), timeout);
    });
  }

  /**
   * The titles that the command palette offers for some words.
   * @param {string} words
   */
  async paletteTitles(words) {
    const titles = await this.untilDone(async timeout => {
      await this.openPicker('F1', `>${words}`, timeout);
      const rows = this.page.locator(`${picker} .monaco-list-row`);
      await rows.first().waitFor({ timeout });
      return await rows.evaluateAll(all => all.map(row => row.getAttribute('aria-label') ?? ''));
    });
    await this.closePicker();
    return titles;
  }

  /**
   * Opens a file of the workspace by name, as Go to File does.
   * @param {string} name
   */
  async openFile(name) {
    const base = path.basename(name);
    const tab = this.page.locator(`.editor-group-container.active .tab.active[data-resource-name=${quoted(base)}]`).first();
    await this.untilDone(async timeout => {
      await this.openPicker('Control+P', name, timeout);
      await this.page.locator(`${picker} .monaco-list-row`, { hasText: base }).first().click({ timeout });
      await tab.waitFor({ timeout });
    });
  }

  /**
   * Puts the cursor of the active editor at a line and column, both from 1.
   * @param {number} line
   * @param {number} column
   */
  async goTo(line, column = 1) {
    await this.untilDone(async timeout => {
      const input = await this.openPicker('Control+G', `:${line}:${column}`, timeout);
      await input.press('Enter', { timeout });
      await this.page.locator(picker).waitFor({ state: 'hidden', timeout });
    });
  }

  /**
   * Opens a picker by its key with some words in it, once; what was open before is closed. Gives its input.
   * @param {string} key
   * @param {string} text
   * @param {number} timeout
   */
  async openPicker(key, text, timeout) {
    await this.closePicker();
    await this.page.keyboard.press(key);
    const input = this.page.locator(`${picker} input[type="text"]`).first();
    await input.fill(text, { timeout });
    return input;
  }

  async closePicker() {
    const open = this.page.locator(picker);
    if (await open.isVisible()) {
      await this.page.keyboard.press('Escape');
      await open.waitFor({ state: 'hidden' });
    }
  }

  /**
   * Clicks a row of the quick input; settles when that closed it or led to the next question.
   * @param {import('playwright-core').Locator} row
   * @param {number} timeout
   */
  async acceptRow(row, timeout) {
    await row.first().waitFor({ timeout });
    const before = await this.page.evaluate(quickInputState, undefined);
    await row.first().click({ timeout });
    await this.page.waitForFunction(quickInputState, before?.seen, { polling: 50, timeout });
  }

  /**
   * Chooses the entry of the open quick pick whose label holds `label`.
   * @param {string | RegExp} label
   */
  async quickPick(label) {
    await this.untilDone(timeout => this.acceptRow(this.page.locator(`${picker} .monaco-list-row`, { hasText: label }), timeout));
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
    await this.page.locator(`${picker} .quick-input-box input`).first().press('Enter');
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
}
