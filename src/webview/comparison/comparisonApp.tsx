import type { VNode } from 'preact';
import {
  type ComparedPairView,
  type ComparisonFilter,
  type ComparisonHead,
  type ComparisonRow,
  type ComparisonState,
  comparisonFilters,
  type FromComparison,
} from '../../shared/comparison/comparisonProtocol';
import { PairList } from '../pairs/pairList';
import type { PairStore } from '../pairs/pairStore';
import { toControlPost } from '../controls/panelContext';
import { PanelFrame } from '../controls/panelFrame';
import type { SavedState } from '../controls/savedState';
import { ComparedPair } from './comparedPair';
import './comparison.css';
import { ComparisonHeadView } from './comparisonHead';
import { filterWords, Row } from './comparisonRow';

export type ComparisonStore = PairStore<ComparisonFilter, ComparisonRow, ComparedPairView, ComparisonHead>;

interface AppProps {
  readonly store: ComparisonStore;
  readonly saved: SavedState<ComparisonState>;
  readonly post: (message: FromComparison) => void;
}

/** The comparison of two runs: the summary, filters, the table of pairs, and the pair that is open. */
export function ComparisonApp({ store, saved, post }: AppProps): VNode {
  return (
    <PanelFrame
      store={store}
      post={toControlPost(post)}
      memory={saved}
      draw={({ t }) =>
        store.snapshot && (
          <main class="panel comparison">
            <ComparisonHeadView head={store.snapshot.head} onAct={act => post({ type: 'act', act })} />
            <PairList
              {...{ store, saved }}
              filters={{ label: t('Which requests'), all: comparisonFilters, always: ['all'], wordsOf: filter => filterWords(filter, t) }}
              label={t('Requests of both runs')}
              empty={t('There are no requests.')}
              columns={[t('B is'), t('ID'), 'A', t('Answer of A'), 'B', t('Answer of B')]}
              drawRow={row => <Row key={row.place} {...row} />}
              drawPair={(pair, place) => (
                <ComparedPair {...place} pair={pair} onAct={act => post({ type: 'pair', filter: store.filter, place: place.place, act })} />
              )}
            />
          </main>
        )
      }
    />
  );
}
