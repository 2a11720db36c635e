import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** Element that appears after an action and is not on the page before: a selector or a locator. */
export type Effect = string | Locator;

/** Timeouts of the attempts at an action, in milliseconds. VS Code loses clicks, and some machines are slow. */
const patience = [4000, 8000, 16_000, 32_000, 60_000];

/** Actions of a person in a page, repeated until they have an effect. */
export class PageActs {
  constructor(
    readonly page: Page,
    /** `undefined` takes no pictures. */
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
   * Repeats an action that VS Code may lose or undo: it renders rows again below the mouse, closes pickers when the focus moves, and
   * restores views after a reload. `act` waits for its own effect, at most `timeout` milliseconds, and must be able to start again after
   * any failure.
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
   * Repeats an action until `effect` is visible. First waits for an earlier `effect` to disappear, because it would prove nothing; if it
   * stays, no action is needed. A late effect doesn't cause another attempt.
   */
  async untilSeen(effect: Effect, act: (timeout: number) => Promise<unknown>) {
    await this.#find(effect)
      .waitFor({ state: 'hidden', timeout: patience[0] })
      .catch(() => undefined);
    await this.untilThere(effect, act);
  }

  /** Repeats an action until `effect` is visible. It may be visible already. */
  async untilThere(effect: Effect, act: (timeout: number) => Promise<unknown>) {
    const seen = this.#find(effect);
    await this.untilDone(async timeout => {
      if (!(await seen.isVisible())) {
        await act(timeout);
      }
      await seen.waitFor({ timeout });
    });
  }

  /** Repeats an action until `effect` is hidden. It must be visible before. */
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

  /** Repeats an action until `effect` is visible. Without an effect, runs it once, because `act` waits for its own. */
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
