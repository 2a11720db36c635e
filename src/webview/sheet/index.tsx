import { render } from 'preact';
import type { FromWebview, SheetState, ToWebview } from '../../shared/sheet/sheetProtocol';
import { App } from './sheetApp';
import { SheetStore } from './sheetStore';

declare function acquireVsCodeApi(): {
  postMessage(message: FromWebview): void;
  getState(): SheetState | undefined;
  setState(state: SheetState): void;
};

/** Draws the sheet into the page that the host made, and asks the host for what to show. */
function start(root: HTMLElement): void {
  const host = acquireVsCodeApi();
  const store = new SheetStore();
  window.addEventListener('message', (event: MessageEvent<ToWebview>) => store.receive(event.data));
  const post = (message: FromWebview): void => host.postMessage(message);
  render(<App store={store} kept={host.getState() ?? {}} keep={state => host.setState(state)} post={post} />, root);
  post({ type: 'ready' });
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
