// @ts-check
import { holdsText, quickInputState } from './inPage.mjs';
import { PageActs, quoted } from './pageActs.mjs';

/** The quick input where it is open. */
export const picker = '.quick-input-widget:not([style*="display: none"])';

/** @typedef {import('./pageActs.mjs').Effect} Effect */

/** Everything that goes through the quick input at the top: palette, pickers, input boxes. */
export class QuickInputs extends PageActs {
  /**
   * Runs a command by its full title (`Managed Agents: Show Log`) through the command palette until its effect is seen.
   * @param {string} title
   * @param {Effect} effect what was not there before
   */
  async runCommand(title, effect) {
    await this.untilSeen(effect, timeout => this.runCommandOnce(title, timeout));
  }

  /**
   * Chooses a command in the palette, for whoever looks by itself what becomes of that.
   * @param {string} title
   * @param {number} timeout
   */
  async runCommandOnce(title, timeout) {
    await this.openPalette(title, timeout);
    await this.acceptRow(this.page.locator(`${picker} .monaco-list-row[aria-label^=${quoted(title)}]`), timeout);
  }

  /**
   * Runs a command by its full title and chooses the first row that holds `label` in the list it opens, until `effect` is seen: a
   * page that comes up late takes the focus, and with it the list.
   * @param {string} title
   * @param {string | RegExp} label
   * @param {Effect} effect what was not there before
   */
  async runCommandAndPick(title, label, effect) {
    await this.untilSeen(effect, async timeout => {
      await this.runCommandOnce(title, timeout);
      await this.acceptRow(this.page.locator(`${picker} .monaco-list-row`, { hasText: label }), timeout);
    });
  }

  /**
   * The titles that the command palette offers for some words.
   * @param {string} words
   */
  async paletteTitles(words) {
    const titles = await this.untilDone(async timeout => {
      await this.openPalette(words, timeout);
      const rows = this.page.locator(`${picker} .monaco-list-row`);
      await rows.first().waitFor({ timeout });
      return await rows.evaluateAll(all => all.map(row => row.getAttribute('aria-label') ?? ''));
    });
    await this.closePicker();
    return titles;
  }

  /**
   * Opens the command palette with some words in it; what was open before is closed.
   * @param {string} words
   * @param {number} timeout
   */
  async openPalette(words, timeout) {
    await this.closePicker();
    // A webview that has the focus would keep the key.
    await this.page.locator('.part.activitybar .action-label').first().press('F1', { timeout });
    await this.page.locator(`${picker} input[type="text"]`).first().fill(`>${words}`, { timeout });
  }

  async closePicker() {
    await this.untilGone(picker, () => this.page.keyboard.press('Escape'));
  }

  /**
   * Chooses a row of the open list by the arrow keys and Enter; settles when that closed it or led to the next question. A click
   * could reach another row: the list draws its rows anew while it fills.
   * @param {import('playwright-core').Locator} row
   * @param {number} timeout
   */
  async acceptRow(row, timeout) {
    await this.page.locator(`${picker} .monaco-list-row`).first().waitFor({ timeout });
    const wanted = row.and(this.page.locator('.focused')).first();
    // VS Code gives the keyboard back to a webview a moment after a question was answered, also when the next one is asked by then.
    const input = this.page.locator(`${picker} input[type="text"]`).first();
    const end = Date.now() + timeout;
    while (!(await wanted.isVisible())) {
      if (Date.now() > end) {
        throw new Error(`The list offers no ${row}.`);
      }
      await input.press('ArrowDown', { timeout });
    }
    const before = await this.page.evaluate(quickInputState, undefined);
    await input.press('Enter', { timeout });
    await this.page.waitForFunction(quickInputState, before?.seen, { polling: 50, timeout });
  }

  /**
   * Chooses the entry of the open quick pick whose label holds `label`; with `effect` until that is seen.
   * @param {string | RegExp} label
   * @param {Effect} [effect] what was not there before
   */
  async quickPick(label, effect) {
    const row = this.page.locator(`${picker} .monaco-list-row`, { hasText: label });
    await this.doFor(effect, timeout => this.acceptRow(row, timeout));
  }

  /**
   * Presses a button of the entry of the open quick pick whose texts hold `label`, until `effect` is seen; without one, until that closed it.
   * @param {string} label
   * @param {string} icon name of the button's codicon
   * @param {Effect} [effect] what was not there before
   */
  async pickButton(label, icon, effect) {
    await this.page.locator(`${picker} .monaco-list-row`, { hasText: label }).first().waitFor();
    const row = this.page.locator(`${picker} .monaco-list-row.focused`, { hasText: label });
    const press = async (/** @type {number} */ timeout) => {
      // Buttons are drawn in the row that has the focus.
      await this.page.locator(`${picker} .quick-input-box input`).first().fill(label, { timeout });
      await row.locator(`.codicon-${icon}`).first().click({ timeout });
    };
    await (effect === undefined ? this.untilGone(picker, press) : this.untilSeen(effect, press));
  }

  /**
   * Accepts the open quick pick as it stands, by Enter; settles when that closed it or led to the next question.
   */
  async acceptPick() {
    await this.untilDone(async timeout => {
      const rows = this.page.locator(`${picker} .monaco-list-row`);
      await rows.first().waitFor({ timeout });
      const before = await this.page.evaluate(quickInputState, undefined);
      await this.page.locator(`${picker} input[type="text"]`).first().press('Enter', { timeout });
      await this.page.waitForFunction(quickInputState, before?.seen, { polling: 50, timeout });
    });
  }

  /** What the open quick pick offers, one text per entry. */
  async quickPickTexts() {
    const rows = this.page.locator(`${picker} .monaco-list-row`);
    await rows.first().waitFor();
    return await rows.allInnerTexts();
  }

  /**
   * Fills the open input box and accepts it; settles when that closed it or led to the next question.
   * @param {string} text
   * @param {Effect} [effect] what was not there before
   */
  async inputBox(text, effect) {
    await this.doFor(effect, async timeout => {
      const input = this.page.locator(`${picker} .quick-input-box input`).first();
      await input.fill(text, { timeout });
      const before = await this.page.evaluate(quickInputState, undefined);
      await input.press('Enter', { timeout });
      await this.page.waitForFunction(quickInputState, before?.seen, { polling: 50, timeout });
    });
  }

  /**
   * Chooses a file in the dialog that opens, which is a quick input; settles when that has closed, or when `effect` is seen where what
   * comes next is a quick input too.
   * @param {string} proposed the path that it shows once it has read the folder
   * @param {string} wanted
   * @param {Effect} [effect] what was not there before
   */
  async chooseFile(proposed, wanted, effect) {
    const field = `${picker} .quick-input-box input`;
    await this.inputHolds(proposed);
    const choose = async (/** @type {number} */ timeout) => {
      const input = this.page.locator(field).first();
      await input.fill(wanted, { timeout });
      // The dialog completes what is typed, and shows what it goes to anew when it has read a folder.
      await this.page.waitForFunction(holdsText, { field, texts: [wanted] }, { polling: 50, timeout });
      await input.press('Enter', { timeout });
    };
    await (effect === undefined ? this.untilGone(picker, choose) : this.untilSeen(effect, choose));
  }

  /**
   * Settles when the open input box holds a text.
   * @param {string} text
   */
  async inputHolds(text) {
    await this.page.waitForFunction(holdsText, { field: `${picker} .quick-input-box input`, texts: [text] }, { polling: 50 });
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
