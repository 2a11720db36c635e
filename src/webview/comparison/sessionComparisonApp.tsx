import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import {
  type FromSessionComparison,
  type SessionComparisonFilter,
  sessionComparisonFilters,
  type SessionComparisonHead,
  type SessionComparisonRow,
  type SessionComparisonState,
  type SessionPairAct,
  type SessionPairView,
} from '../../shared/comparison/comparisonProtocol';
import type { Translate } from '../../shared/session/translateText';
import { Button } from '../controls/button';
import { Panel } from '../controls/panelContext';
import type { SavedState } from '../controls/savedState';
import { Cell, TableRow } from '../list/tableRow';
import type { PairPosition } from '../pairs/pairFrame';
import { PairList, type PairRowProps } from '../pairs/pairList';
import type { PairStore } from '../pairs/pairStore';
import { ComparedSides, ComparisonHeader } from './comparisonParts';

export type SessionComparisonStore = PairStore<SessionComparisonFilter, SessionComparisonRow, SessionPairView, SessionComparisonHead>;

interface AppProps {
  readonly store: SessionComparisonStore;
  readonly head: SessionComparisonHead;
  readonly saved: SavedState<SessionComparisonState>;
  readonly post: (message: FromSessionComparison) => void;
}

/** Comparison of two sessions: number of differences, filters, the table of turns and steps, and both sides of the open one. */
export function SessionComparisonApp({ store, head, saved, post }: AppProps): VNode {
  const { t } = useContext(Panel);
  return (
    <main class="panel sessionComparison">
      <ComparisonHeader
        {...head}
        runs={head.sessions}
        heading={<h1>{head.summary}</h1>}
        acts={
          <>
            <Button onClick={() => post({ type: 'act', act: 'difference' })}>{t('Show Transcripts in Diff Editor')}</Button>
            <Button onClick={() => post({ type: 'act', act: 'refresh' })}>{t('Refresh')}</Button>
          </>
        }
      >
        {head.differences.length === 0 ? null : (
          <ul class="differences headFacts">
            {head.differences.map(text => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </ComparisonHeader>
      <PairList
        store={store}
        saved={saved}
        filters={{
          label: t('Select a filter'),
          all: sessionComparisonFilters,
          always: ['differs', 'all'],
          wordsOf: filter => filterWords(filter, t),
        }}
        label={t('Turns of both sessions')}
        empty={store.filter === 'differs' && store.countOf('all') > 0 ? t('Nothing differs.') : t('Nothing to show')}
        columns={[t('Turn'), t('What'), t('Differences'), 'A', 'B']}
        drawRow={row => <Row key={row.position} {...row} />}
        drawPair={(pair, position) => (
          <Pair {...position} pair={pair} onAct={act => post({ type: 'pair', filter: store.filter, place: position.position, act })} />
        )}
      />
    </main>
  );
}

function filterWords(filter: SessionComparisonFilter, t: Translate): string {
  return {
    differs: t('Differences'),
    turns: t('Turns'),
    calls: t('Calls'),
    answers: t('Answers'),
    others: t('Others'),
    all: t('All Steps'),
  }[filter];
}

function Row({ position, row, top, isActive, isOpen }: PairRowProps<SessionComparisonRow>): VNode {
  return (
    <TableRow {...{ position, top, isActive, isOpen }} isComing={row === undefined} className={row?.isTurn === true ? 'isTurn' : undefined}>
      {row === undefined ? null : (
        <>
          <Cell>{row.turn}</Cell>
          <Cell className="words" title={row.what}>
            {row.what}
          </Cell>
          <Cell className={`kind-${row.kind} words kind`} title={row.change}>
            {row.change}
          </Cell>
          <Side words={row.before} />
          <Side words={row.after} />
        </>
      )}
    </TableRow>
  );
}

function Side({ words }: { readonly words: string | undefined }): VNode {
  const { t } = useContext(Panel);
  return words === undefined ? (
    <Cell className="isComing">{t('nothing')}</Cell>
  ) : (
    <Cell className="words" title={words}>
      {words}
    </Cell>
  );
}

interface PairProps extends PairPosition {
  readonly pair: SessionPairView | undefined;
  readonly onAct: (act: SessionPairAct) => void;
}

function Pair(props: PairProps): VNode {
  const { t } = useContext(Panel);
  const { row, before, after } = props.pair ?? {};
  const name = row === undefined ? '' : row.isTurn ? t('Turn {0}', row.turn) : t('Turn {0}: {1}', row.turn, row.what);
  return (
    <ComparedSides
      {...props}
      label={row === undefined ? t('Both sessions') : t('Both sessions, {0}', name)}
      toolbarLabel={t('Both sessions')}
      name={
        <>
          <h2>{name}</h2>
          {row === undefined || row.change === '' ? null : <span class={`kind-${row.kind}`}>{row.change}</span>}
        </>
      }
      links={[
        ['difference', t('Show Difference')],
        ...(before === undefined ? [] : [['before', t('Open in Session A')] as const]),
        ...(after === undefined ? [] : [['after', t('Open in Session B')] as const]),
      ]}
    />
  );
}
