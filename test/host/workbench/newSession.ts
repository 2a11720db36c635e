import type { Frame } from 'playwright-core';
import type { Effect } from '../page/pageActs';
import { asks } from './questions';
import { tabOfSession } from './sessionPanels';
import type { Workbench } from './workbench';

/** The panel of a session that does not exist yet. */
export class NewSession {
  constructor(private readonly workbench: () => Workbench) {}

  /** Opens the panel with the palette. Resolves once the panel shows its default values. */
  async open(): Promise<Frame> {
    await this.workbench().runCommand('Managed Agents: Start Session', tabOfSession('New Session'));
    return await this.frame();
  }

  /** Returns the active panel with this heading, once the panel shows its default values. */
  async frame(heading = 'New Session'): Promise<Frame> {
    return await this.workbench().webview(`main.start[aria-busy="false"]:has(h1:has-text(${JSON.stringify(heading)}))`);
  }

  /** Opens the picker of a chip. */
  async choose(frame: Frame, label: string, question: string): Promise<void> {
    await this.workbench().click(frame.getByRole('button', { name: new RegExp(`^${label}[:…]`) }), asks(question));
  }

  /** Writes the first message and presses Enter, until `effect` is visible. */
  async start(frame: Frame, text: string, effect: Effect): Promise<void> {
    const field = frame.getByRole('textbox', { name: 'Message to the agent' });
    await this.workbench().untilSeen(effect, async timeout => {
      await field.fill(text, { timeout });
      await field.press('Enter', { timeout });
    });
  }
}
