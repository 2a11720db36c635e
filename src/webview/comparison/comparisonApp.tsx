import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ComparisonState, comparisonFilters, type FromComparison } from '../../shared/comparison/comparisonProtocol';
import { Splitter } from '../results/splitter';
import { StorePanel } from '../results/storePanel';
import { toCount } from '../session/controls/numbers';
import type { PanelContext } from '../session/panelContext';
import type { SavedState } from '../session/savedState';
import { ComparedPair } from './comparedPair';
import './comparison.css';
import { ComparisonHeadView } from './comparisonHead';
import { filterWords } from './comparisonRow';
import type { ComparisonStore } from './comparisonStore';
import { ComparisonTable } from './comparisonTable';

interface AppProps {
  readonly store: ComparisonStore;
  readonly saved: SavedState<ComparisonState>;
  readonly post: (message: FromComparison) => void;
}

/** The comparison of two runs: the verdict, filters, the table of pairs, and the pair that is open. */
export function ComparisonApp({ store, saved, post }: AppProps): VNode {
  return (
    <StorePanel
      {...{ store, post }}
      memory={saved}
      draw={({ head }, context) => (
        <main class="panel comparison">
          <ComparisonHeadView head={head} onAct={act => post({ type: 'act', act })} />
          <Pairs {...{ store, saved, post, context }} />
        </main>
      )}
    />
  );
}

function Pairs({ store, saved, post, context }: AppProps & { readonly context: PanelContext }): VNode {
  const { t } = context;
  const area = useRef<HTMLDivElement>(null);
  const [split, setSplit] = useState(saved.state.split ?? 50);
  const [active, setActive] = useState(() => Math.min(saved.state.active ?? 0, Math.max(0, store.count - 1)));
  const [tableFocus, setTableFocus] = useState(0);
  const [pairFocus, setPairFocus] = useState(0);
  const { pair } = store;
  const activate = (place: number): void => {
    setActive(place);
    saved.update({ active: place });
  };
  const open = (place: number, takesFocus: boolean): void => {
    store.openPair(place);
    saved.update({ isOpen: true });
    if (takesFocus) {
      setPairFocus(count => count + 1);
    }
  };
  const close = (): void => {
    store.closePair();
    saved.update({ isOpen: false });
    setTableFocus(count => count + 1);
  };
  useEffect(() => {
    if (saved.state.isOpen === true) {
      store.openPair(active);
    }
  }, []);
  return (
    <>
      <Filters
        {...{ store, context }}
        onFilter={filter => {
          store.show(filter);
          activate(0);
          saved.update({ filter, isOpen: false });
        }}
      />
      <div class="area" ref={area}>
        <div class="tableArea">
          {store.count === 0 ? <p class="empty">{t('There are no requests here.')}</p> : null}
          <ComparisonTable store={store} active={active} focusToken={tableFocus} onActive={activate} onOpen={open} onClose={close} />
        </div>
        {pair === undefined ? null : (
          <>
            <Splitter
              share={split}
              area={area}
              onShare={share => {
                setSplit(share);
                saved.update({ split: share });
              }}
            />
            <div class="pairArea" style={{ flexBasis: `${split}%` }}>
              <ComparedPair
                pair={pair.pair}
                problem={pair.problem}
                place={pair.place}
                count={store.count}
                focusToken={pairFocus}
                onStep={step => {
                  const next = pair.place + step;
                  if (next >= 0 && next < store.count) {
                    activate(next);
                    store.openPair(next);
                  }
                }}
                onAct={act => post({ type: 'pair', filter: store.filter, place: pair.place, act })}
                onClose={close}
              />
            </div>
          </>
        )}
      </div>
    </>
  );
}

interface FiltersProps {
  readonly store: ComparisonStore;
  readonly context: PanelContext;
  readonly onFilter: (filter: (typeof comparisonFilters)[number]) => void;
}

/** What is listed: all, or requests of one kind, with how many there are. Kinds without any are not offered. */
function Filters({ store, context: { t, locale, announce }, onFilter }: FiltersProps): VNode {
  const counts = store.snapshot?.head.counts;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div class="filters" role="group" aria-label={t('Which requests')}>
      {comparisonFilters.map(filter =>
        filter !== 'all' && (counts?.[filter] ?? 0) === 0 ? null : (
          <button
            key={filter}
            type="button"
            class="chip"
            aria-pressed={store.filter === filter}
            onClick={() => {
              onFilter(filter);
              announce(t('{0}: {1}', filterWords(filter, t), toCount(counts?.[filter] ?? 0, locale)));
            }}
          >
            {filterWords(filter, t)} {toCount(counts?.[filter] ?? 0, locale)}
          </button>
        ),
      )}
    </div>
  );
}
