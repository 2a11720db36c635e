import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { askFingerprint } from '../../../src/features/sessions/facts/askFingerprint';
import type { Ask } from '../../../src/shared/session/openAsks';
import type { PanelState } from '../../../src/shared/session/sessionProtocol';
import { eventually } from '../eventually';
import { viewOf } from '../panelFixtures';
import { PanelPage } from '../panelPage';
import type { PageOptions } from '../webviewPage';

/** Time before a new card can be answered, in milliseconds. */
const settlingTime = 500;

/** The session panel with open asks. Its clock is held, so a card can only be answered after a test has advanced the time. */
export class AsksPage extends PanelPage {
  static async with(asks: readonly Ask[], options: PageOptions<PanelState> = {}): Promise<AsksPage> {
    const panel = new AsksPage();
    await panel.start('session', { fromHost: { connection: 'c1', session: 's1' }, isClockHeld: true, ...options });
    await panel.show([], { view: viewOf({ asks }) });
    return panel;
  }

  /** Replaces the open asks. */
  async amend(asks: readonly Ask[]): Promise<void> {
    await this.post({ type: 'amend', thread: '', splices: [], view: viewOf({ asks }) });
    await this.rendered();
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Waits until the visible card can be answered. */
  async settled(): Promise<void> {
    await eventually(async () => {
      await this.pass(settlingTime);
      assert.ok((await this.page.locator('.ask-buttons button:enabled:not([aria-haspopup], .button-link)').count()) > 0);
    });
  }

  /** Presses a button of an armed card. */
  async press(name: string): Promise<void> {
    await eventually(async () => {
      await this.pass(settlingTime);
      assert.ok(await this.button(name).isEnabled());
    });
    await this.button(name).click();
  }

  /** Selects an entry of the card's menu. */
  async choose(name: string): Promise<void> {
    await this.page.locator('.ask').getByRole('button', { name: 'More' }).click();
    await this.page.getByRole('menuitem', { name }).click();
  }

  /** Returns the heading of the card that has the focus itself, not one of its buttons. '' if there is none. */
  async focusedHeading(): Promise<string> {
    return await this.page.evaluate(() => document.activeElement?.querySelector('h2')?.textContent ?? '');
  }

  /** Returns the text of the focused element. */
  async focusedText(): Promise<string> {
    return await this.page.evaluate(() => document.activeElement?.textContent ?? '');
  }
}

export function json(value: unknown): { readonly type: 'json'; readonly text: string } {
  return { type: 'json', text: JSON.stringify(value, null, 2) };
}

export const bash: Ask = {
  eventId: 'sevt_ask',
  kind: 'confirmation',
  rowKey: 'sevt_call',
  tool: 'bash',
  input: json({ command: 'git push origin main\nnpm publish', timeout: 60 }),
  at: Date.UTC(2026, 0, 5, 9, 31),
};

export const custom: Ask = {
  eventId: 'sevt_custom',
  kind: 'customTool',
  rowKey: 'sevt_custom',
  tool: 'pick_colour',
  server: 'tracker',
  input: json({ of: 'the header', among: ['red', 'green'] }),
  at: undefined,
};

/** Returns the fingerprint that an answer to this ask includes. */
export function shownOf({ tool, server, input }: Ask): string {
  return askFingerprint(tool, server, 'text' in input ? (input.text ?? '') : '');
}
