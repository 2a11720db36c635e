import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** Selector or locator of an element that only appears after an action. */
export type Effect = string | Locator;

/** Timeouts of the attempts at an action, in milliseconds. VS Code loses clicks, and some machines are slow. */
const patience = [4000, 8000, 16_000, 32_000, 60_000];

/** Actions of a person in a page, repeated until they have an effect. */
export class PageActs {
  constructor(
    readonly page: Page,
    /** Folder for screenshots. If it is `undefined`, no screenshots are taken. */
    protected readonly screenshotFolder: string | undefined,
  ) {}

  /** Writes a PNG of the page, or of the first match of `selector`. Returns its path, or '' if no pictures are taken. */
  async screenshot(name: string, selector?: string) {
    if (this.screenshotFolder === undefined) {
      return '';
    }
    mkdirSync(this.screenshotFolder, { recursive: true });
    const file = path.join(this.screenshotFolder, `${name}.png`);
    const subject = selector === undefined ? this.page : this.page.locator(selector).first();
    await subject.screenshot({ path: file, animations: 'disabled', caret: 'initial' });
    return file;
  }

  async waitFor(selector: string) {
    await this.page.locator(selector).first().waitFor();
  }

  async waitForNone(selector: string) {
    await this.page.locator(selector).first().waitFor({ state: 'hidden' });
  }

  async texts(selector: string) {
    return await this.page.locator(selector).allInnerTexts();
  }

  async count(selector: string) {
    return await this.page.locator(selector).count();
  }

  /**
   * Repeats an action that VS Code may lose or undo. For example, VS Code renders rows again below the mouse, and closes pickers when the
   * focus moves. `act` waits for its own effect, at most `timeout` milliseconds, and must be able to start again after any failure.
   */
  async untilDone<T>(act: (timeout: number) => Promise<T>): Promise<T> {
    for (const timeout of patience.slice(0, -1)) {
      try {
        return await act(timeout);
      } catch {
        // Retries.
      }
    }
    return await act(patience.at(-1) ?? 0);
  }

  /**
   * Repeats an action until `effect` is visible. First waits until an earlier `effect` has disappeared. If it stays, no action is needed. A
   * late effect doesn't cause another attempt.
   */
  async untilSeen(effect: Effect, act: (timeout: number) => Promise<unknown>) {
    await this.#find(effect)
      .waitFor({ state: 'hidden', timeout: patience[0] })
      .catch(() => undefined);
    await this.untilThere(effect, act);
  }

  /** Repeats an action until `effect` is visible. Does nothing if `effect` is already visible. */
  async untilThere(effect: Effect, act: (timeout: number) => Promise<unknown>) {
    const seen = this.#find(effect);
    await this.untilDone(async timeout => {
      if (!(await seen.isVisible())) {
        await act(timeout);
      }
      await seen.waitFor({ timeout });
    });
  }

  /** Repeats an action until `effect` is hidden. `effect` must be visible before the action. */
  async untilGone(effect: Effect, act: (timeout: number) => Promise<unknown>) {
    const gone = this.#find(effect);
    await this.untilDone(async timeout => {
      if (await gone.isVisible()) {
        await act(timeout);
      }
      await gone.waitFor({ state: 'hidden', timeout });
    });
  }

  /** Clicks until `effect` is visible. */
  async click(target: Effect, effect: Effect) {
    await this.untilSeen(effect, timeout => this.#find(target).click({ timeout }));
  }

  /** Presses a key, by its name in Playwright, until `effect` is visible. */
  async press(key: string, effect: Effect) {
    await this.untilSeen(effect, () => this.page.keyboard.press(key));
  }

  /** Repeats an action until `effect` is visible. Without an effect, runs the action once, because `act` waits for its own effect. */
  protected async doFor(effect: Effect | undefined, act: (timeout: number) => Promise<unknown>) {
    await (effect === undefined ? this.untilDone(act) : this.untilSeen(effect, act));
  }

  #find(effect: Effect) {
    return (typeof effect === 'string' ? this.page.locator(effect) : effect).first();
  }
}

/** Quotes a text for a selector. */
export function quoted(text: string) {
  return JSON.stringify(text);
}
