import { render } from 'preact';
import type { ComparisonState, FromComparison, ToComparison } from '../../shared/comparison/comparisonProtocol';
import { PairStore } from '../pairs/pairStore';
import { SavedState } from '../controls/savedState';
import { ComparisonApp, type ComparisonStore } from './comparisonApp';

export interface ComparisonHost {
  postMessage(message: FromComparison): void;
  getState(): ComparisonState | undefined;
  setState(state: ComparisonState): void;
}

/** Renders a comparison into the page and asks the host for its content. */
export function startComparison(root: HTMLElement, host: ComparisonHost): void {
  const saved = new SavedState<ComparisonState>(host, root.dataset.state);
  const post = (message: FromComparison): void => host.postMessage(message);
  const store: ComparisonStore = new PairStore(post, saved.state.filter ?? 'all');
  window.addEventListener('message', (event: MessageEvent<ToComparison>) => store.receive(event.data));
  render(<ComparisonApp store={store} saved={saved} post={post} />, root);
  post({ type: 'ready' });
}
