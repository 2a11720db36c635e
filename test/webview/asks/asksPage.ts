import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { askFingerprint } from '../../../src/shared/session/askFingerprint';
import type { Ask } from '../../../src/shared/session/openAsksAt';
import type { PanelState } from '../../../src/shared/session/sessionProtocol';
import { eventually } from '../eventually';
import { viewOf } from '../panelFixtures';
import { PanelPage } from '../panelPage';
import type { PageOptions } from '../webviewPage';

/** Milliseconds in which a card that has just come cannot be answered. */
const settlingTime = 500;

/** The session panel with what waits for the user. Its clock is held: a card can be answered once that time was let pass. */
export class AsksPage extends PanelPage {
  static async with(asks: readonly Ask[], options: PageOptions<PanelState> = {}): Promise<AsksPage> {
    const panel = new AsksPage();
    await panel.start('session', { fromHost: { connection: 'c1', session: 's1' }, isClockHeld: true, ...options });
    await panel.show([], { view: viewOf({ asks }) });
    return panel;
  }

  /** Shows what waits now. */
  async amend(asks: readonly Ask[]): Promise<void> {
    await this.post({ type: 'amend', thread: '', splices: [], view: viewOf({ asks }) });
    await this.drawn();
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Settles when the card that is shown can be answered. */
  async settled(): Promise<void> {
    await eventually(async () => {
      await this.pass(settlingTime);
      assert.ok((await this.page.locator('.ask-buttons button:enabled:not([aria-haspopup], .button-link)').count()) > 0);
    });
  }

  /** Presses a button of a card that can be answered. */
  async press(name: string): Promise<void> {
    await eventually(async () => {
      await this.pass(settlingTime);
      assert.ok(await this.button(name).isEnabled());
    });
    await this.button(name).click();
  }

  /** Chooses an entry of the menu of the card. */
  async choose(name: string): Promise<void> {
    await this.page.locator('.ask').getByRole('button', { name: 'More' }).click();
    await this.page.getByRole('menuitem', { name }).click();
  }

  /** Heading of the card that has the keyboard itself, and no button in it; '' where none has. */
  async focusedHeading(): Promise<string> {
    return await this.page.evaluate(() => document.activeElement?.querySelector('h2')?.textContent ?? '');
  }

  /** Text of what has the keyboard. */
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

/** Fingerprint of what the card of an ask shows, as an answer carries it. */
export function shownOf({ tool, server, input }: Ask): string {
  return askFingerprint(tool, server, 'text' in input ? (input.text ?? '') : '');
}
