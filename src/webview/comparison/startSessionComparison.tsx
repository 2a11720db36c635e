import { render } from 'preact';
import type {
  FromSessionComparison,
  SessionComparisonState,
  ToSessionComparison,
} from '../../shared/session/comparing/sessionComparisonProtocol';
import { PairStore } from '../pairs/pairStore';
import { SavedState } from '../controls/savedState';
import { SessionComparisonApp, type SessionComparisonStore } from './sessionComparisonApp';

export interface SessionComparisonHost {
  postMessage(message: FromSessionComparison): void;
  getState(): SessionComparisonState | undefined;
  setState(state: SessionComparisonState): void;
}

/** Renders the comparison of two sessions into the page and asks the host for its content. */
export function startSessionComparison(root: HTMLElement, host: SessionComparisonHost): void {
  const saved = new SavedState<SessionComparisonState>(host, root.dataset.state);
  const post = (message: FromSessionComparison): void => host.postMessage(message);
  const store: SessionComparisonStore = new PairStore(post, saved.state.filter ?? 'differs');
  window.addEventListener('message', (event: MessageEvent<ToSessionComparison>) => store.receive(event.data));
  render(<SessionComparisonApp store={store} saved={saved} post={post} />, root);
  post({ type: 'ready' });
}
