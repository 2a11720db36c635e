import { render, type VNode } from 'preact';
import { SavedState } from './savedState';

interface WebviewApi<From, State> {
  postMessage(message: From): void;
  getState(): State | undefined;
  setState(state: State): void;
}

declare function acquireVsCodeApi<From, State>(): WebviewApi<From, State>;

export interface PanelParts<To> {
  readonly receive: (message: To) => void;
  readonly app: VNode;
}

/** Renders a panel into the page, passes the messages of the host to it, and asks the host for its content. */
export function startPanel<From extends { readonly type: string }, To, State extends object>(
  create: (saved: SavedState<State>, post: (message: From) => void) => PanelParts<To>,
): void {
  const root = document.getElementById('root');
  if (root === null) {
    return;
  }
  const host = acquireVsCodeApi<From | { readonly type: 'ready' }, State>();
  const { receive, app } = create(new SavedState<State>(host, root.dataset.state), message => host.postMessage(message));
  window.addEventListener('message', (event: MessageEvent<To>) => receive(event.data));
  render(app, root);
  host.postMessage({ type: 'ready' });
}
