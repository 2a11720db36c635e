import type { Locator } from 'playwright-core';
import { Editors } from './editors';
import { type Effect, quoted } from './pageActs';

const sideBar = '.part.sidebar .pane-body';
/** Entry of a context menu, or of one of its submenus. */
type MenuEntry = string | readonly [submenu: string, entry: string];

/** Actions in the views of the side bar: rows, menus and welcome content. */
export class SideBar extends Editors {
  /** Shows a view container of the activity bar by its title. */
  async openViewContainer(title: string) {
    const item = this.page.locator(`.activitybar .action-item:has([aria-label^=${quoted(title)}])`).first();
    const shown = this.page.locator('.part.sidebar .composite.title', { hasText: title }).first();
    // A click on the visible container would hide it.
    await this.untilThere(shown, timeout => item.click({ timeout }));
    // A resting mouse opens a tooltip over the first rows of the view.
    await this.page.mouse.move(0, 0);
  }

  /** Expands one view of the visible container and collapses the others, so that its rows have all the space. */
  async showOnlyView(name: string) {
    const headers = this.page.locator('.part.sidebar .pane-header');
    await headers.first().waitFor();
    for (const header of await headers.all()) {
      const isWanted = (await header.locator('.title').first().innerText()).toLowerCase() === name.toLowerCase();
      await this.untilDone(async timeout => {
        if ((await header.getAttribute('aria-expanded')) !== String(isWanted)) {
          // Clicks at the start of the header, because the actions of a view may reach its middle.
          await header.click({ timeout, position: { x: 10, y: 10 } });
          await header.and(this.page.locator(`[aria-expanded="${isWanted}"]`)).waitFor({ timeout });
        }
      });
    }
  }

  /** Waits for a tree row that contains `text`. Returns its text. */
  async treeRow(text: string | RegExp) {
    const row = this.row(text);
    await row.waitFor();
    return await row.innerText();
  }

  /** Returns the texts of all tree rows. */
  async treeRows() {
    return await this.page.locator(`${sideBar} .monaco-list-row`).allInnerTexts();
  }

  /** Clicks a tree row until `effect` is visible. */
  async clickTreeRow(text: string | RegExp, effect: Effect) {
    await this.click(this.row(text), effect);
  }

  /** Expands a tree row until `effect`, a child of it, is visible. */
  async unfold(text: string | RegExp, effect: Effect) {
    await this.untilThere(effect, timeout => this.#toggle(text, 'false', timeout));
  }

  /** Collapses a tree row until `effect`, a child of it, is hidden. */
  async fold(text: string | RegExp, effect: Effect) {
    await this.untilGone(effect, timeout => this.#toggle(text, 'true', timeout));
  }

  /** Toggles a row only if it has this `expanded` state, because a second click would undo the first. */
  async #toggle(text: string | RegExp, expanded: string, timeout: number) {
    const row = this.row(text);
    if ((await row.getAttribute('aria-expanded', { timeout })) === expanded) {
      await row.locator('.monaco-tl-twistie').click({ timeout });
    }
  }

  /** Presses an inline action of a tree row by its title until `effect` is visible. */
  async treeAction(text: string | RegExp, action: string, effect: Effect) {
    const row = this.row(text);
    const button = row.locator(`.actions .action-label[aria-label^=${quoted(action)}]`).first();
    await this.untilSeen(effect, async timeout => {
      await this.page.mouse.move(0, 0);
      await row.hover({ timeout });
      await button.click({ timeout });
    });
  }

  /** Chooses from the context menu of a tree row, until `effect` is visible if there is one. */
  async treeMenu(text: string | RegExp, entry: MenuEntry, effect?: Effect) {
    await this.menuOf(this.row(text), entry, effect);
  }

  /** Chooses from the context menu of an element, until `effect` is visible if there is one. */
  async menuOf(owner: Locator, entry: MenuEntry, effect?: Effect) {
    await this.doFor(effect, async timeout => {
      // An open menu may have outdated entries.
      await this.closeMenus();
      await owner.click({ button: 'right', timeout });
      await this.chooseFromMenu(entry, timeout);
    });
  }

  /** Returns the entries of the context menu of an element, or of a submenu of it, and closes it. */
  async entriesOf(owner: Locator, submenu?: string): Promise<readonly string[]> {
    let entries: readonly string[] = [];
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

  /** Closes the open menu and its submenu, each with a key press. */
  async closeMenus() {
    await this.untilGone('.monaco-menu', async () => {
      for (let open = await this.count('.monaco-menu'); open > 0; open--) {
        await this.page.keyboard.press('Escape');
      }
    });
  }

  async chooseFromMenu(entry: MenuEntry, timeout: number) {
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

  async openSubmenu(name: string, timeout: number) {
    await this.focusEntry(name, timeout);
    await this.page.keyboard.press('ArrowRight');
    // A submenu that the mouse opened has no focused entry yet, but accepts keys.
    await this.page.locator('.monaco-submenu:focus-within .action-item').first().waitFor({ timeout });
  }

  /** Moves to an entry of a submenu with the keyboard, because the submenu closes when the mouse leaves the menu. */
  async walkTo(entry: string, timeout: number) {
    const items = this.page.locator('.monaco-submenu .monaco-menu .action-item:not(.disabled)');
    const wanted = this.page.locator(`.monaco-submenu .action-item.focused .action-label[aria-label^=${quoted(entry)}]`);
    for (let step = 1 + (await items.count()); step > 0 && (await wanted.count()) === 0; step--) {
      await this.page.keyboard.press('ArrowDown');
    }
    await wanted.first().waitFor({ timeout });
  }

  async focusEntry(entry: string, timeout: number) {
    const label = `.action-label[aria-label^=${quoted(entry)}]`;
    // A menu ignores clicks in its first tenth of a second. The entry under the mouse accepts Enter at once.
    await this.page.mouse.move(0, 0);
    await this.page.locator(`.monaco-menu .action-item ${label}`).first().hover({ timeout });
    await this.page.locator(`.monaco-menu .action-item.focused ${label}`).first().waitFor({ timeout });
  }

  row(text: string | RegExp) {
    return this.page.locator(`${sideBar} .monaco-list-row`, { hasText: text }).first();
  }

  /** Presses a link or button of a view's welcome content until `effect` is visible. */
  async welcomeButton(label: string | RegExp, effect: Effect) {
    await this.click(this.page.locator(`${sideBar} .welcome-view-content :is(a, .monaco-button)`, { hasText: label }), effect);
  }
}
