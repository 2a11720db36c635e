import { render } from 'preact';
import type { FromWebview, PanelState, ToWebview } from '../../shared/session/sessionProtocol';
import { PanelStore } from './panelStore';
import { SavedState } from '../controls/savedState';
import { App } from './sessionApp';
import { Timelines } from './timeline/timelines';

declare function acquireVsCodeApi(): {
  postMessage(message: FromWebview): void;
  getState(): PanelState | undefined;
  setState(state: PanelState): void;
};

/** Minimum delay between renders while rows arrive faster than anybody can read, in milliseconds. */
const stormPause = 100;

/** Renders the session panel into the page and asks the host for its content. */
function start(root: HTMLElement): void {
  const host = acquireVsCodeApi();
  const now = (): number => performance.now();
  const store = new PanelStore({
    schedule: (task, isStorm) => (isStorm ? setTimeout(() => requestAnimationFrame(task), stormPause) : requestAnimationFrame(task)),
    now,
  });
  const saved = new SavedState(host, root.dataset.state);
  const post = (message: FromWebview): void => host.postMessage(message);
  window.addEventListener('message', (event: MessageEvent<ToWebview>) => store.receive(event.data));
  render(<App store={store} timelines={new Timelines(store, now)} saved={saved} post={post} />, root);
  post({ type: 'ready' });
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
