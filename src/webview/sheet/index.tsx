import { render } from 'preact';
import type { FromWebview, SheetState, ToWebview } from '../../shared/sheet/sheetProtocol';
import { App } from './sheetApp';
import { SheetStore } from './sheetStore';

declare function acquireVsCodeApi(): {
  postMessage(message: FromWebview): void;
  getState(): SheetState | undefined;
  setState(state: SheetState): void;
};

/** Renders the sheet and tells the host that it is ready. */
function start(root: HTMLElement): void {
  const host = acquireVsCodeApi();
  const store = new SheetStore();
  const fromPage: unknown = JSON.parse(root.dataset.state ?? '{}');
  let kept: SheetState = { ...host.getState(), ...(fromPage as SheetState) };
  const keep = (changes: SheetState): void => {
    kept = { ...kept, ...changes };
    host.setState(kept);
  };
  keep({});
  window.addEventListener('message', (event: MessageEvent<ToWebview>) => {
    store.receive(event.data);
    const { wish } = store.view ?? {};
    if (JSON.stringify(wish) !== JSON.stringify(kept.wish)) {
      keep({ wish });
    }
  });
  const post = (message: FromWebview): void => host.postMessage(message);
  render(<App store={store} kept={kept} keep={keep} post={post} />, root);
  post({ type: 'ready' });
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
