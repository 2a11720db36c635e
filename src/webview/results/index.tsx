import type { FromWebview, ResultsState, ToWebview } from '../../shared/results/resultsProtocol';
import { startPanel } from '../controls/startPanel';
import { App } from './resultsApp';
import { ResultsStore } from './resultsStore';

startPanel<FromWebview, ToWebview, ResultsState>((saved, post) => {
  const store = new ResultsStore(post);
  return { receive: message => store.receive(message), app: <App {...{ store, saved, post }} /> };
});
