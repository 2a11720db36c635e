import type { Locator } from 'playwright-core';
import type { Row } from '../../src/shared/session/rows/rows';
import type { FromWebview, PanelState, ToWebview } from '../../src/shared/session/sessionProtocol';
import { placesOf, scrollSettled, watchScroll } from './inPanel.mjs';
import { viewOf } from './panelFixtures';
import { type PageOptions, WebviewPage } from './webviewPage';

type SnapshotChanges = Partial<Extract<ToWebview, { type: 'snapshot' }>>;

/** Returns the host's messages for a session with these rows. */
export function snapshotOf(rows: readonly Row[], changes: SnapshotChanges = {}): readonly ToWebview[] {
  const thread = changes.thread ?? '';
  return [
    {
      ...{ type: 'snapshot', thread, view: viewOf(), connection: { name: 'live' }, expectedRows: rows.length },
      ...{ source: 'Emulator, 127.0.0.1', isReplay: false, canWrite: true, ...changes },
    },
    { type: 'amend', thread, splices: [{ at: 0, remove: 0, rows }] },
  ];
}

/** The session panel in a page of a real Chromium. */
export class PanelPage extends WebviewPage<FromWebview, ToWebview, PanelState> {
  /** Opens a panel. The host sends `answers` as soon as the panel is ready. */
  static async open(options: PageOptions<PanelState> = {}, answers: readonly ToWebview[] = []): Promise<PanelPage> {
    const panel = new PanelPage();
    await panel.start('session', { fromHost: { connection: 'c1', session: 's1' }, ...options }, answers);
    return panel;
  }

  /** Posts a snapshot of a session with these rows. */
  async show(rows: readonly Row[], changes: SnapshotChanges = {}): Promise<void> {
    await this.post(...snapshotOf(rows, changes));
    await this.rendered();
  }

  /** Returns the list that scrolls. */
  get list(): Locator {
    return this.page.getByRole('feed');
  }

  /** Returns the rendered rows that contain a text. */
  row(text: string | RegExp): Locator {
    return this.page.getByRole('article').filter({ hasText: text });
  }

  /** Returns the pixels from the top of the list to the first row that contains a text. */
  async topOf(text: string): Promise<number> {
    const [row, list] = await Promise.all([this.row(text).first().boundingBox(), this.list.boundingBox()]);
    if (row === null || list === null) {
      throw new Error(`There is no row ${text}.`);
    }
    return row.y - list.y;
  }

  /** Scrolls the list with the mouse wheel. Resolves once the list is rendered. */
  async wheel(pixels: number): Promise<void> {
    await this.list.hover();
    await this.page.evaluate(watchScroll);
    await this.page.mouse.wheel(0, pixels);
    await this.page.evaluate(scrollSettled);
    await this.rendered();
  }

  /** Returns the scroll position of the list. */
  async scrollTop(): Promise<number> {
    return await this.list.evaluate((list: { scrollTop: number }) => list.scrollTop);
  }

  /** Returns the 1-based positions of the rendered rows. */
  async places(): Promise<readonly number[]> {
    return await this.page.evaluate(placesOf);
  }
}
