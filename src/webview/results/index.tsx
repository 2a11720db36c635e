import { render } from 'preact';
import type { FromWebview, ResultsState, ToWebview } from '../../shared/results/resultsProtocol';
import { SavedState } from '../controls/savedState';
import { App } from './resultsApp';
import { ResultsStore } from './resultsStore';

declare function acquireVsCodeApi(): {
  postMessage(message: FromWebview): void;
  getState(): ResultsState | undefined;
  setState(state: ResultsState): void;
};

/** Renders the results panel into the page and asks the host for its content. */
function start(root: HTMLElement): void {
  const host = acquireVsCodeApi();
  const saved = new SavedState<ResultsState>(host, root.dataset.state);
  const post = (message: FromWebview): void => host.postMessage(message);
  const store = new ResultsStore(post);
  window.addEventListener('message', (event: MessageEvent<ToWebview>) => store.receive(event.data));
  render(<App store={store} saved={saved} post={post} />, root);
  post({ type: 'ready' });
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
