import type { FromWebview, SheetState, ToWebview } from '../../shared/sheet/sheetProtocol';
import { startPanel } from '../controls/startPanel';
import { App } from './sheetApp';
import { SheetStore } from './sheetStore';

startPanel<FromWebview, ToWebview, SheetState>((saved, post) => {
  const store = new SheetStore();
  const receive = (message: ToWebview): void => {
    store.receive(message);
    const { wish } = store.view ?? {};
    if (JSON.stringify(wish) !== JSON.stringify(saved.state.wish)) {
      saved.update({ wish });
    }
  };
  return { receive, app: <App {...{ store, saved, post }} /> };
});
