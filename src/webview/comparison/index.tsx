import type { VNode } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type {
  ComparedPairView,
  ComparisonHead,
  ComparisonRow,
  FromPairs,
  PairsState,
  ToComparison,
} from '../../shared/comparison/comparisonProtocol';
import type { PairSide } from '../../shared/results/resultsProtocol';
import { Button } from '../controls/button';
import { Icon } from '../controls/icon';
import { Panel, toControlPost } from '../controls/panelContext';
import type { SavedState } from '../controls/savedState';
import { startPanel } from '../controls/startPanel';
import { PairFrame, type PairPosition, Side } from '../pairs/pair';
import { PairStore } from './pairStore';
import './comparison.css';
import { toNumber } from '../../shared/formats';
import { Cell, columnHead, headRow, TableRow, type TableRowProps, VirtualGrid } from '../list/virtualGrid';
import { SplitArea } from '../pairs/splitArea';
import { useOpenRow } from '../pairs/useOpenRow';

interface AppProps {
  readonly store: PairStore;
  readonly head: ComparisonHead;
  readonly saved: SavedState<PairsState>;
  readonly post: (message: FromPairs) => void;
}

/** The comparison of two runs or sessions: the summary, filters, the table of pairs, and the pair that is open. */
function ComparisonApp({ store, head, saved, post }: AppProps): VNode {
  const { columns } = head;
  const { pair, count, filter } = store;
  const row = useOpenRow(store, saved);
  // The list may have become shorter.
  const active = Math.max(0, Math.min(row.active, count - 1));
  const open = (position: number, takesFocus: boolean): void => {
    row.open(position, takesFocus);
    saved.update({ isOpen: true });
  };
  const close = (): void => {
    row.close();
    saved.update({ isOpen: false });
  };
  useEffect(() => {
    if (saved.state.isOpen === true) {
      store.openPair(active);
    }
  }, []);
  return (
    <main class={`panel ${head.of === 'sessions' ? 'sessionComparison' : 'comparison'}`}>
      <Head head={head} onAct={act => post({ type: 'act', act })} />
      <Filters
        store={store}
        head={head}
        onFilter={chosen => {
          store.show(chosen);
          row.activate(0);
          saved.update({ filter: chosen, isOpen: false });
        }}
      />
      <SplitArea
        saved={saved}
        table={
          <>
            {count === 0 ? <p class="empty">{head.empty}</p> : null}
            <VirtualGrid
              {...{ store, active }}
              label={head.tableLabel}
              focusToken={row.tableFocus}
              columns={columns.length}
              attributes={{ 'aria-keyshortcuts': 'Enter Space' }}
              head={<HeadRow columns={columns} />}
              drawRow={(position, top) => (
                <PairRow
                  key={position}
                  {...{ position, top, row: store.pages.at(position) }}
                  isActive={position === active}
                  isOpen={position === pair?.place}
                />
              )}
              onClick={position => {
                if (position !== undefined) {
                  row.activate(position);
                  open(position, false);
                }
              }}
              onMove={position => {
                row.activate(position);
                if (pair !== undefined) {
                  open(position, false);
                }
              }}
              onAct={act => {
                if (act === 'open' || act === 'toggle') {
                  open(active, true);
                } else if (act === 'leave' && pair !== undefined) {
                  close();
                } else {
                  return false;
                }
                return true;
              }}
            />
          </>
        }
        pair={
          pair && (
            <Pair
              {...{ head, count, pair: pair.pair, problem: pair.problem, position: pair.place }}
              focusToken={row.pairFocus}
              onStep={by => row.step(pair.place, by)}
              onClose={close}
              onAct={act => post({ type: 'pair', filter, place: pair.place, act })}
            />
          )
        }
      />
    </main>
  );
}

interface PairRowProps extends Pick<TableRowProps, 'position' | 'top' | 'isActive' | 'isOpen'> {
  readonly row: ComparisonRow | undefined;
}

function PairRow({ row, ...place }: PairRowProps): VNode {
  return (
    <TableRow {...place} isComing={row === undefined} className={row?.isTurn === true ? 'isTurn' : undefined}>
      {row?.cells.map(({ words, className }, column) => (
        <Cell key={column} className={className} title={words}>
          {className?.startsWith('mark-') === true ? <span class="mark">{words}</span> : words}
        </Cell>
      ))}
    </TableRow>
  );
}

interface HeadProps {
  readonly head: ComparisonHead;
  readonly onAct: (act: string) => void;
}

/** Summary of a comparison, facts about both sides and their numbers, notices, and the method. */
function Head({ head, onAct }: HeadProps): VNode {
  const { t } = useContext(Panel);
  return (
    <header class="head comparisonHead" tabIndex={0}>
      <div class="headLine flexWrap flexBaseline">
        <h1 class={head.tone && `summary tone-${head.tone}`}>{head.summary}</h1>
        <div class="headActs flexWrap" role="toolbar" aria-label={t('Comparison actions')}>
          {head.acts.map(({ act, label }) => (
            <Button key={act} onClick={() => onAct(act)}>
              {label}
            </Button>
          ))}
        </div>
      </div>
      {head.chance === undefined ? null : <p>{head.chance}</p>}
      {head.differences.length === 0 ? null : (
        <ul class="differences headFacts">
          {head.differences.map(text => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <dl class="runs">
        {head.runs.map(({ name, facts }, side) => (
          <div key={side}>
            <dt>{side === 0 ? 'A' : 'B'}</dt>
            <dd class="faint">{[name, ...facts].join(' · ')}</dd>
          </div>
        ))}
        {head.numbers.map(({ name, before, after }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="faint">{`${before} → ${after}`}</dd>
          </div>
        ))}
      </dl>
      {head.notices.map(text => (
        <p key={text} class="notice">
          <Icon name="info" />
          <span>{text}</span>
        </p>
      ))}
      <details class="method faint">
        <summary>{t('Details')}</summary>
        {head.details.map(text => (
          <p key={text}>{text}</p>
        ))}
      </details>
    </header>
  );
}

interface PairProps extends PairPosition, HeadProps {
  readonly pair: ComparedPairView | undefined;
}

/** Both sides of a pair, next to each other. */
function Pair({ head, pair, onAct, ...position }: PairProps): VNode {
  const { t } = useContext(Panel);
  const missing: PairSide = { facts: [], parts: [], isCut: false, notice: t('no result') };
  return (
    <PairFrame
      {...position}
      pair={pair}
      label={pair?.label ?? head.pairLabel}
      toolbarLabel={head.pairLabel}
      name={
        <>
          <h2>{pair?.name}</h2>
          {pair?.change === undefined ? null : <span class={pair.change.className}>{pair.change.words}</span>}
        </>
      }
      acts={pair?.links.map(({ act, label }) => (
        <Button key={act} kind="link" onClick={() => onAct(act)}>
          {label}
        </Button>
      ))}
      sides={
        <>
          <Side title="A" side={pair?.before ?? missing} onWhole={() => onAct('difference')} />
          <Side title="B" side={pair?.after ?? missing} onWhole={() => onAct('difference')} />
        </>
      }
    />
  );
}

function HeadRow({ columns }: { readonly columns: readonly string[] }): VNode {
  return (
    <div {...headRow} class="row headRow">
      {columns.map(title => (
        <div key={title} {...columnHead} class="cell">
          {title}
        </div>
      ))}
    </div>
  );
}

interface FiltersProps extends Pick<AppProps, 'store' | 'head'> {
  readonly onFilter: (filter: string) => void;
}

function Filters({ store, head, onFilter }: FiltersProps): VNode {
  const { t, locale, announce } = useContext(Panel);
  const shown = head.filters.filter(({ id, count }, index) => count > 0 || index === 0 || id === store.filter);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div class="filters flexWrap" role="group" aria-label={head.filtersLabel}>
      {shown.map(({ id, label, count }) => (
        <button
          key={id}
          type="button"
          class="chip"
          aria-pressed={store.filter === id}
          onClick={() => {
            onFilter(id);
            announce(t('{0}: {1}', label, toNumber(count, locale)));
          }}
        >
          {label} {toNumber(count, locale)}
        </button>
      ))}
    </div>
  );
}

startPanel<FromPairs, ToComparison, PairsState>((saved, post) => {
  const store = new PairStore(post, saved.state.filter);
  const draw = () => store.head && <ComparisonApp {...{ store, saved, post }} head={store.head} />;
  return { store, post: toControlPost(post), draw };
});
