import type { Effect } from '../page/pageActs';
import { picker } from '../page/quickInputs';
import type { Workbench } from './workbench';

/**
 * Types the answers to successive questions in the quick input. Each call names its question by its title, prompt or placeholder, so that
 * a repeated answer never reaches the next question.
 */
export class Questions {
  constructor(private readonly workbench: () => Workbench) {}

  /** Writes a text as the answer, until `effect` is visible. */
  async write(question: string, text: string, effect: Effect): Promise<void> {
    await this.workbench().untilSeen(effect, async timeout => {
      const input = this.input(question);
      await input.fill(text, { timeout });
      await input.press('Enter', { timeout });
    });
  }

  /** Accepts the current value of the question, until `effect` is visible. */
  async accept(question: string, effect: Effect): Promise<void> {
    await this.workbench().untilSeen(effect, timeout => this.input(question).press('Enter', { timeout }));
  }

  /** Selects the first row that contains `label`, until `effect` is visible. */
  async choose(question: string, label: string | RegExp, effect: Effect): Promise<void> {
    await this.workbench().untilSeen(effect, timeout => this.once(question, label, timeout));
  }

  /** Chooses the first row that contains `label` once, for callers that wait for the effect themselves. */
  async once(question: string, label: string | RegExp, timeout: number): Promise<void> {
    const { page } = this.workbench();
    await page.locator(asks(question)).waitFor({ timeout });
    await this.workbench().acceptRow(page.locator(`${picker} .monaco-list-row`, { hasText: label }), timeout);
  }

  /** Ticks the row that contains `label`, or unticks it. */
  async tick(label: string, isTicked = true): Promise<void> {
    const row = this.workbench().page.locator(offers(label));
    const ticked = this.workbench().page.locator(`[aria-checked="${isTicked}"]`);
    await this.workbench().click(row, row.and(ticked).or(row.locator(ticked)));
  }

  private input(question: string) {
    return this.workbench()
      .page.locator(`${asks(question)} .quick-input-box input`)
      .first();
  }
}

/** Returns the selector of the quick input while its question contains these words. */
export function asks(words: string): string {
  const text = JSON.stringify(words);
  return `${picker}:is(:has-text(${text}), :has(input[placeholder*=${text}]))`;
}

/** Returns the selector of a row in the quick input. */
export function offers(words: string): string {
  return `${picker} .monaco-list-row:has-text(${JSON.stringify(words)})`;
}
