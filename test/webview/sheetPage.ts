import type { SheetFacts } from '../../src/features/batches/sheet/presentation/sheetFacts';
import { toSheetView } from '../../src/features/batches/sheet/presentation/toSheetView';
import type { FromWebview, SheetState, ToWebview } from '../../src/shared/sheet/sheetProtocol';
import { context, facts } from '../unit/features/batches/sheet/sheetUnderTest';
import { type PageOptions, WebviewPage } from './webviewPage';

/** The sheet before sending in a page of a real Chromium. */
export class SheetPage extends WebviewPage<FromWebview, ToWebview, SheetState> {
  static async open(options: PageOptions<SheetState> = {}, answers: readonly ToWebview[] = []): Promise<SheetPage> {
    const sheet = new SheetPage();
    await sheet.start('sheet', options, answers);
    return sheet;
  }

  /** Shows the host's view of a file without problems, with these facts changed. */
  async show(change: Partial<SheetFacts> = {}): Promise<void> {
    await this.post(viewOf(change));
    await this.rendered();
  }
}

/** Returns the message that shows these facts. */
export function viewOf(change: Partial<SheetFacts> = {}): ToWebview {
  return { type: 'view', view: toSheetView({ ...facts, ...change }, context) };
}
