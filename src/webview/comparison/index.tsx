import type {
  ComparisonState,
  FromComparison,
  FromSessionComparison,
  SessionComparisonState,
  ToComparison,
  ToSessionComparison,
} from '../../shared/comparison/comparisonProtocol';
import { toControlPost } from '../controls/panelContext';
import { startPanel } from '../controls/startPanel';
import { PairStore } from '../pairs/pairStore';
import { ComparisonApp, type ComparisonStore } from './comparisonApp';
import { SessionComparisonApp, type SessionComparisonStore } from './sessionComparisonApp';

// Comparisons of results and of sessions share one bundle. The host writes into the page which one to show.
if (/"of":"sessions"/.test(document.getElementById('root')?.dataset.state ?? '')) {
  startPanel<FromSessionComparison, ToSessionComparison, SessionComparisonState>((saved, post) => {
    const store: SessionComparisonStore = new PairStore(post, saved.state.filter ?? 'differs');
    const draw = () => store.head && <SessionComparisonApp {...{ store, saved, post }} head={store.head} />;
    return { store, post: toControlPost(post), draw };
  });
} else {
  startPanel<FromComparison, ToComparison, ComparisonState>((saved, post) => {
    const store: ComparisonStore = new PairStore(post, saved.state.filter ?? 'all');
    const draw = () => store.head && <ComparisonApp {...{ store, saved, post }} head={store.head} />;
    return { store, post: toControlPost(post), draw };
  });
}
