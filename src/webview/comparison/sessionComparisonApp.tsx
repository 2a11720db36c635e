import type { VNode } from 'preact';
import {
  type FromSessionComparison,
  type SessionComparisonFilter,
  type SessionComparisonHead,
  type SessionComparisonRow,
  type SessionComparisonState,
  type SessionPairView,
  sessionComparisonFilters,
} from '../../shared/comparison/sessionComparisonProtocol';
import type { Translate } from '../../shared/session/translateText';
import { PairList } from '../pairs/pairList';
import type { PairStore } from '../pairs/pairStore';
import { toControlPost } from '../controls/panelContext';
import { PanelFrame } from '../controls/panelFrame';
import type { SavedState } from '../controls/savedState';
import { SessionComparisonHeadView } from './sessionComparisonHead';
import { SessionComparisonRowView } from './sessionComparisonRow';
import { SessionPair } from './sessionPair';

export type SessionComparisonStore = PairStore<SessionComparisonFilter, SessionComparisonRow, SessionPairView, SessionComparisonHead>;

interface AppProps {
  readonly store: SessionComparisonStore;
  readonly saved: SavedState<SessionComparisonState>;
  readonly post: (message: FromSessionComparison) => void;
}

/** Comparison of two sessions: number of differences, filters, the table of turns and steps, and both sides of the open one. */
export function SessionComparisonApp({ store, saved, post }: AppProps): VNode {
  return (
    <PanelFrame
      store={store}
      post={toControlPost(post)}
      memory={saved}
      draw={({ t }) =>
        store.snapshot && (
          <main class="panel sessionComparison">
            <SessionComparisonHeadView head={store.snapshot.head} onAct={act => post({ type: 'act', act })} />
            <PairList
              {...{ store, saved }}
              filters={{
                label: t('Select a filter'),
                all: sessionComparisonFilters,
                always: ['differs', 'all'],
                wordsOf: filter => filterWords(filter, t),
              }}
              label={t('Turns of both sessions')}
              empty={store.filter === 'differs' && store.countOf('all') > 0 ? t('Nothing differs.') : t('Nothing to show')}
              columns={[t('Turn'), t('What'), t('Differences'), 'A', 'B']}
              drawRow={row => <SessionComparisonRowView key={row.place} {...row} />}
              drawPair={(pair, place) => (
                <SessionPair {...place} pair={pair} onAct={act => post({ type: 'pair', filter: store.filter, place: place.place, act })} />
              )}
            />
          </main>
        )
      }
    />
  );
}

function filterWords(filter: SessionComparisonFilter, t: Translate): string {
  switch (filter) {
    case 'differs':
      return t('Differences');
    case 'turns':
      return t('Turns');
    case 'calls':
      return t('Calls');
    case 'answers':
      return t('Answers');
    case 'others':
      return t('Others');
    case 'all':
      return t('All Steps');
  }
}
