import type { Frame } from 'playwright-core';
import type { Workbench } from './workbench';

/** Session panels on the page. */
export class SessionPanels {
  constructor(private readonly workbench: () => Workbench) {}

  /** Opens the panel of a session of the connection "Lab". Resolves once it is active and up to date. */
  async open(title: string, sessionId: string): Promise<Frame> {
    const reference = { connection: 'Lab', sessionId };
    await this.workbench().beginCommand(tabOfSession(title), 'managedAgents.session.open', reference);
    return await this.live(title);
  }

  /** Returns the active panel, once it shows the session with this title and is up to date. */
  async live(title: string): Promise<Frame> {
    await this.workbench().waitFor(tabOfSession(title));
    const frame = await this.workbench().webview(`main.panel:has(h1:has-text(${JSON.stringify(title)})) .timelineArea`);
    await frame.getByText('Live', { exact: true }).first().waitFor();
    return frame;
  }
}

/** Returns the selector of the active tab if it is the panel of a session with this title. */
export function tabOfSession(title: string): string {
  return `.editor-group-container.active .tab.active[aria-label*=${JSON.stringify(title)}]`;
}
