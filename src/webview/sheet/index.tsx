import type { FromWebview, SheetState, ToWebview } from '../../shared/sheet/sheetProtocol';
import { startPanel } from '../controls/startPanel';
import { App } from './sheetApp';
import { SheetStore } from './sheetStore';

startPanel<FromWebview, ToWebview, SheetState>((saved, post) => {
  const store = new SheetStore();
  return { store, post: () => {}, draw: () => store.view && <App {...{ store, saved, post }} view={store.view} /> };
});
