import { render } from 'preact';
import type { FromInbox, InboxState, ToInbox } from '../../shared/inbox/inboxProtocol';
import { SavedState } from '../session/savedState';
import { InboxApp } from './inboxApp';
import { InboxStore } from './inboxStore';

declare function acquireVsCodeApi(): {
  postMessage(message: FromInbox): void;
  getState(): InboxState | undefined;
  setState(state: InboxState): void;
};

/** Renders the inbox and tells the host that it is ready. */
function start(root: HTMLElement): void {
  const host = acquireVsCodeApi();
  const store = new InboxStore();
  const saved = new SavedState<InboxState>(host, root.dataset.state);
  const post = (message: FromInbox): void => host.postMessage(message);
  window.addEventListener('message', (event: MessageEvent<ToInbox>) => store.receive(event.data));
  render(<InboxApp store={store} saved={saved} post={post} />, root);
  post({ type: 'ready' });
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
