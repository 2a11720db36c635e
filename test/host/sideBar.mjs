// @ts-check
import { Editors } from './editors.mjs';
import { quoted } from './pageActs.mjs';

const sideBar = '.part.sidebar .pane-body';

/** @typedef {import('./pageActs.mjs').Effect} Effect */

/** The views in the side bar: their rows, menus and welcome content. */
export class SideBar extends Editors {
  /**
   * Shows a view container of the activity bar by its title.
   * @param {string} title
   */
  async openViewContainer(title) {
    const item = this.page.locator(`.activitybar .action-item:has([aria-label^=${quoted(title)}])`).first();
    const shown = this.page.locator('.part.sidebar .composite.title', { hasText: title }).first();
    // A click on the container that is shown would hide it.
    await this.untilThere(shown, timeout => item.click({ timeout }));
    // A mouse that rests there brings a tooltip, which lies over the first rows of the view.
    await this.page.mouse.move(0, 0);
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
          // At its start: the actions of a view may reach its middle.
          await header.click({ timeout, position: { x: 10, y: 10 } });
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

  /**
   * Clicks a tree row until `effect` is seen.
   * @param {string | RegExp} text
   * @param {Effect} effect what was not there before
   */
  async clickTreeRow(text, effect) {
    await this.click(this.row(text), effect);
  }

  /**
   * Unfolds a tree row until `effect` is seen. One that is unfolded and shows it late is not folded again.
   * @param {string | RegExp} text
   * @param {Effect} effect what stands below it
   */
  async unfold(text, effect) {
    await this.untilThere(effect, timeout => this.#toggle(text, 'false', timeout));
  }

  /**
   * Folds a tree row until `effect` is gone.
   * @param {string | RegExp} text
   * @param {Effect} effect what was there before
   */
  async fold(text, effect) {
    await this.untilGone(effect, timeout => this.#toggle(text, 'true', timeout));
  }

  /**
   * @param {string | RegExp} text
   * @param {string} expanded what the row has to be: another click would undo the first
   * @param {number} timeout
   */
  async #toggle(text, expanded, timeout) {
    const row = this.row(text);
    if ((await row.getAttribute('aria-expanded', { timeout })) === expanded) {
      await row.locator('.monaco-tl-twistie').click({ timeout });
    }
  }

  /**
   * Presses an inline action of a tree row by its title until `effect` is seen.
   * @param {string | RegExp} text
   * @param {string} action
   * @param {Effect} effect what was not there before
   */
  async treeAction(text, action, effect) {
    const row = this.row(text);
    const button = row.locator(`.actions .action-label[aria-label^=${quoted(action)}]`).first();
    await this.untilSeen(effect, async timeout => {
      await this.page.mouse.move(0, 0);
      await row.hover({ timeout });
      await button.click({ timeout });
    });
  }

  /**
   * Chooses from the context menu of a tree row; with `effect` until that is seen.
   * @param {string | RegExp} text
   * @param {string | readonly [submenu: string, entry: string]} entry
   * @param {Effect} [effect] what was not there before
   */
  async treeMenu(text, entry, effect) {
    await this.menuOf(this.row(text), entry, effect);
  }

  /**
   * Chooses from the context menu of what `owner` finds; with `effect` until that is seen.
   * @param {import('playwright-core').Locator} owner
   * @param {string | readonly [submenu: string, entry: string]} entry
   * @param {Effect} [effect] what was not there before
   */
  async menuOf(owner, entry, effect) {
    await this.doFor(effect, async timeout => {
      // One that is open already tells of what its owner could do then, which can be less than now.
      await this.closeMenus();
      await owner.click({ button: 'right', timeout });
      await this.chooseFromMenu(entry, timeout);
    });
  }

  /**
   * The entries of the context menu of what `owner` finds, or of a submenu of it; closes it.
   * @param {import('playwright-core').Locator} owner
   * @param {string} [submenu]
   * @returns {Promise<readonly string[]>}
   */
  async entriesOf(owner, submenu) {
    /** @type {readonly string[]} */
    let entries = [];
    await this.untilDone(async timeout => {
      await this.closeMenus();
      await owner.click({ button: 'right', timeout });
      if (submenu !== undefined) {
        await this.openSubmenu(submenu, timeout);
      }
      const menu = submenu === undefined ? '.monaco-menu' : '.monaco-submenu .monaco-menu';
      const labels = this.page.locator(`${menu} .action-item .action-label:not(.separator)`);
      await labels.first().waitFor({ timeout });
      entries = (await labels.allTextContents()).filter(text => text !== '');
    });
    await this.closeMenus();
    return entries;
  }

  /** Closes the menu that is open with its submenu: each goes by a key of its own. */
  async closeMenus() {
    await this.untilGone('.monaco-menu', async () => {
      for (let open = await this.count('.monaco-menu'); open > 0; open--) {
        await this.page.keyboard.press('Escape');
      }
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
   * @param {string | readonly [submenu: string, entry: string]} entry
   * @param {number} timeout
   */
  async chooseFromMenu(entry, timeout) {
    if (typeof entry === 'string') {
      await this.focusEntry(entry, timeout);
    } else {
      const [submenu, inner] = entry;
      await this.openSubmenu(submenu, timeout);
      await this.walkTo(inner, timeout);
    }
    await this.page.keyboard.press('Enter');
    await this.page.locator('.monaco-menu').first().waitFor({ state: 'hidden', timeout });
  }

  /**
   * @param {string} name
   * @param {number} timeout
   */
  async openSubmenu(name, timeout) {
    await this.focusEntry(name, timeout);
    await this.page.keyboard.press('ArrowRight');
    // One that the mouse has opened already has no entry focused yet, but takes the keys.
    await this.page.locator('.monaco-submenu:focus-within .action-item').first().waitFor({ timeout });
  }

  /**
   * Goes down a submenu by keyboard: it closes when the mouse leaves the menu.
   * @param {string} entry
   * @param {number} timeout
   */
  async walkTo(entry, timeout) {
    const items = this.page.locator('.monaco-submenu .monaco-menu .action-item:not(.disabled)');
    const wanted = this.page.locator(`.monaco-submenu .action-item.focused .action-label[aria-label^=${quoted(entry)}]`);
    for (let step = 1 + (await items.count()); step > 0 && (await wanted.count()) === 0; step--) {
      await this.page.keyboard.press('ArrowDown');
    }
    await wanted.first().waitFor({ timeout });
  }

  /**
   * @param {string} entry
   * @param {number} timeout
   */
  async focusEntry(entry, timeout) {
    const label = `.action-label[aria-label^=${quoted(entry)}]`;
    // A menu takes no click in its first tenth of a second; the entry under the mouse takes Enter at once.
    await this.page.mouse.move(0, 0);
    await this.page.locator(`.monaco-menu .action-item ${label}`).first().hover({ timeout });
    await this.page.locator(`.monaco-menu .action-item.focused ${label}`).first().waitFor({ timeout });
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
   * Presses a link or button of a view's welcome content until `effect` is seen.
   * @param {string | RegExp} label
   * @param {Effect} effect what was not there before
   */
  async welcomeButton(label, effect) {
    await this.click(this.page.locator(`${sideBar} .welcome-view-content :is(a, .monaco-button)`, { hasText: label }), effect);
  }

  /** The welcome content of the side bar's views. */
  async welcomeText() {
    const content = this.page.locator(`${sideBar} .welcome-view-content`).first();
    await content.waitFor();
    return await content.innerText();
  }
}
