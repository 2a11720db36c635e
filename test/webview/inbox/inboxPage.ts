import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { FromInbox, InboxEntry, InboxState, InboxView, QuestionEntry, ToInbox } from '../../../src/shared/inbox/inboxProtocol';
import { bash } from '../asks/asksPage';
import { eventually } from '../eventually';
import { type PageOptions, WebviewPage } from '../webviewPage';

/** Time before a new card can be answered, in milliseconds. */
const settlingTime = 500;

/** The inbox in a page of a real Chromium. Its clock is held, so a card can only be answered after a test has advanced the time. */
export class InboxPage extends WebviewPage<FromInbox, ToInbox, InboxState> {
  static async open(options: PageOptions<InboxState> = {}): Promise<InboxPage> {
    const inbox = new InboxPage();
    await inbox.start('inbox', { isClockHeld: true, ...options });
    return inbox;
  }

  static async with(entries: readonly InboxEntry[], options: PageOptions<InboxState> = {}): Promise<InboxPage> {
    const inbox = await InboxPage.open(options);
    await inbox.show(entries);
    return inbox;
  }

  /** Sends the content of the inbox from the host. */
  async show(entries: readonly InboxEntry[], changes: Partial<InboxView> = {}): Promise<void> {
    const view = {
      entries,
      questions: [],
      byRules: 0,
      unread: [],
      left: [],
      watched: 'Watching 24 sessions',
      isRead: true,
      canWrite: true,
      ...changes,
    };
    await this.post({ type: 'view', view });
    await this.rendered();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Returns the heading of the card that has the focus itself, not one of its buttons. '' if there is none. */
  async focusedHeading(): Promise<string> {
    return await this.page.evaluate(() => document.activeElement?.querySelector('h2')?.textContent?.trim() ?? '');
  }

  /** Waits until the card with this heading has the focus and can be answered. */
  async armed(heading: string): Promise<void> {
    await eventually(async () => {
      await this.pass(settlingTime);
      assert.equal(await this.focusedHeading(), heading);
      assert.ok((await this.page.locator('.ask-buttons button:enabled:not([aria-haspopup], .button-link)').count()) > 0);
    });
  }

  /** Returns the posted answers: event id, verdict and shown fingerprint. */
  async verdicts(): Promise<readonly (readonly string[])[]> {
    return (await this.posted('confirm')).map(({ eventId, result, shown }) => [eventId, result, shown]);
  }
}

/** Returns an ask as the inbox shows it. */
export function entry(id: string, changes: Partial<InboxEntry> & { readonly tool?: string } = {}): InboxEntry {
  const { tool = id, ...rest } = changes;
  return {
    ask: { ...bash, eventId: id, tool },
    fingerprint: `print ${id}`,
    title: `Session of ${id}`,
    sessionId: `sesn_${id}`,
    agent: 'Careful Operator',
    connection: 'Lab',
    ...rest,
  };
}

/** Returns an idle session that asked a question. Without `text`, its message has not been loaded. */
export function asked(id: string, text?: string): QuestionEntry {
  return {
    ...{ id, title: `Session of ${id}`, sessionId: `sesn_${id}`, agent: 'Researcher', connection: 'Lab', at: 0 },
    ...(text === undefined ? {} : { text, isCut: false }),
  };
}
