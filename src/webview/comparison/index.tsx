import type { FromPairs, PairsState, ToComparison } from '../../shared/comparison/comparisonProtocol';
import { toControlPost } from '../controls/panelContext';
import { startPanel } from '../controls/startPanel';
import { PairStore } from '../pairs/pairStore';
import { ComparisonApp } from './comparisonApp';

startPanel<FromPairs, ToComparison, PairsState>((saved, post) => {
  const store = new PairStore(post, saved.state.filter);
  const draw = () => store.head && <ComparisonApp {...{ store, saved, post }} head={store.head} />;
  return { store, post: toControlPost(post), draw };
});
