import { render } from 'preact';
import type { PanelState, ToWebview } from '../../shared/session/sessionProtocol';
import type { ToStart } from '../../shared/session/startProtocol';
import type { PanelContext } from './panelContext';
import { PanelStore } from './panelStore';
import { SavedState } from './savedState';
import { App } from './sessionApp';
import { Timelines } from './timeline/timelines';

declare function acquireVsCodeApi(): {
  postMessage: PanelContext['post'];
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
  const post: PanelContext['post'] = message => host.postMessage(message);
  window.addEventListener('message', (event: MessageEvent<ToWebview | ToStart>) => store.receive(event.data));
  render(<App store={store} timelines={new Timelines(store, now)} saved={saved} post={post} />, root);
  post({ type: 'ready' });
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
