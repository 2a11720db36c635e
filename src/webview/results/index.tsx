import type { FromWebview, ResultsState, ToWebview } from '../../shared/results/resultsProtocol';
import { toControlPost } from '../controls/panelContext';
import { startPanel } from '../controls/startPanel';
import { App } from './resultsApp';
import { ResultsStore } from './resultsStore';

startPanel<FromWebview, ToWebview, ResultsState>((saved, post) => {
  const store = new ResultsStore(post);
  const draw = () => store.snapshot && <App {...{ store, saved, post }} snapshot={store.snapshot} />;
  return { store, post: toControlPost(post), draw };
});
