import type { VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { toNumber } from '../../shared/formats';
import type { FromWebview, HeadAct, ResultsHead, ResultsState, TableSubject, ToWebview } from '../../shared/results/resultsProtocol';
import { Button } from '../controls/button';
import { isFindKey } from '../controls/focus';
import { Panel, type PanelContext, toControlPost, useRememberedFlag } from '../controls/panelContext';
import type { SavedState } from '../controls/savedState';
import { startPanel } from '../controls/startPanel';
import { PairView } from '../pairs/pair';
import { SplitArea } from '../pairs/splitArea';
import { countPositions } from './positionRanges';
import { QueryBar } from './queryBar';
import { Pictures } from './resultPictures';
import { ResultsStore } from './resultsStore';
import { Table } from './tableView';
import { Results, useResults, useShownResults } from './useShownResults';
import './results.css';
import { ownValue } from '../../shared/isRecord';
import type { Translate } from '../../shared/session/translateText';
import { Icon } from '../controls/icon';

interface AppProps {
  readonly store: ResultsStore;
  readonly snapshot: NonNullable<ResultsStore['snapshot']>;
  readonly saved: SavedState<ResultsState>;
  readonly post: (message: FromWebview) => void;
}

/** The results panel: title, query, table, and the open pair of request and answer. */
function App({ store, snapshot, saved, post }: AppProps): VNode {
  const context = useContext(Panel);
  const [queryFocus, setQueryFocus] = useState(0);
  const { isReady, subject = 'results' } = snapshot.head;
  const announceCount = (count: number, all: number): void => context.announce(toCountWords(count, all, subject, context));
  const shown = useShownResults({ store, saved, data: snapshot.data, isReady, announceCount });
  const focusQuery = (): void => setQueryFocus(count => count + 1);
  return (
    <Results.Provider value={{ store, snapshot, saved, post, shown }}>
      <main
        class="panel"
        onKeyDown={event => {
          if (isFindKey(event)) {
            event.preventDefault();
            focusQuery();
          }
        }}
      >
        <Head head={snapshot.head} {...toCounts(store, isReady, subject, context)} onAct={act => post({ type: 'act', act })} />
        {isReady ? (
          <>
            <QueryArea focusToken={queryFocus} />
            <Area onSearch={focusQuery} />
          </>
        ) : null}
      </main>
    </Results.Provider>
  );
}

function QueryArea({ focusToken }: { readonly focusToken: number }): VNode {
  const { store, post } = useResults();
  const { arranged, survey, revision } = store;
  const [hasPictures, setPictures] = useRememberedFlag('charts', false);
  useEffect(() => {
    if (hasPictures && arranged !== undefined && survey?.revision !== revision) {
      post({ type: 'survey', revision });
    }
  }, [hasPictures, arranged]);
  return (
    <>
      <QueryBar focusToken={focusToken} hasPictures={hasPictures} onPictures={setPictures} />
      {hasPictures ? <Pictures /> : null}
    </>
  );
}

function Area({ onSearch }: { readonly onSearch: () => void }): VNode {
  const { store, saved, post, shown, subject } = useResults();
  const { pair, count, revision } = store;
  return (
    <SplitArea
      saved={saved}
      table={<TableArea onSearch={onSearch} />}
      pair={
        pair && (
          <PairView
            pair={pair.pair}
            subject={subject}
            problem={pair.problem}
            position={pair.place}
            count={count}
            focusToken={shown.pairFocus}
            onStep={step => shown.step(pair.place, step)}
            onAct={(act, citation) => post({ type: 'pair', revision, place: pair.place, act, ...(citation !== undefined && { citation }) })}
            onClose={shown.close}
          />
        )
      }
    />
  );
}

function TableArea({ onSearch }: { readonly onSearch: () => void }): VNode {
  const { t } = useContext(Panel);
  const { store, post, shown, subject, actOnRows } = useResults();
  const { arranged, searched, revision } = store;
  useEffect(() => {
    for (const { act: chosen } of store.takeNews('menu')) {
      if (chosen === 'copyRows' || chosen === 'expect' || chosen === 'saveRequests') {
        actOnRows(chosen);
      } else {
        post({ type: 'pair', revision, place: shown.active, act: chosen });
      }
    }
  });
  return (
    <>
      {searched === undefined ? null : <progress class="thinProgress topProgress" value={searched} aria-label={t('Searching…')} />}
      {arranged?.count === 0 ? <p class="empty">{toEmptyWords(arranged.all === 0, subject, t)}</p> : null}
      <Table onSearch={onSearch} />
      <SelectionBar />
    </>
  );
}

function toCounts(store: ResultsStore, isReady: boolean, subject: TableSubject, context: PanelContext) {
  const { searched, arranged } = store;
  const { t, locale } = context;
  if (!isReady || searched !== undefined || arranged === undefined) {
    const search = searched === undefined ? t('Loading…') : t('Searching… {0}%', toNumber(Math.floor(searched * 100), locale));
    return { count: isReady ? search : '', tokens: '' };
  }
  return { count: toCountWords(arranged.count, arranged.all, subject, context), tokens: toTokenWords(arranged, subject, context) };
}

function toCountWords(count: number, all: number, subject: TableSubject, { t, locale }: PanelContext): string {
  const [shown, total] = [toNumber(count, locale), toNumber(all, locale)];
  if (subject === 'requests') {
    return count !== all ? t('{0} of {1} requests', shown, total) : all === 1 ? t('1 request') : t('{0} requests', total);
  }
  return count !== all ? t('{0} of {1} results', shown, total) : all === 1 ? t('1 result') : t('{0} results', total);
}

function toTokenWords(
  { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number },
  subject: TableSubject,
  { t, locale }: PanelContext,
): string {
  const [input, output] = [toNumber(inputTokens, locale), toNumber(outputTokens, locale)];
  if (subject === 'results') {
    return t('{0} input, {1} output tokens', input, output);
  }
  // If no request has a limit, the maximum output is unknown.
  if (outputTokens === 0) {
    return t('about {0} input tokens', input);
  }
  return t('about {0} input tokens, at most {1} output tokens', input, output);
}

function toEmptyWords(isAll: boolean, subject: TableSubject, t: PanelContext['t']): string {
  return !isAll ? t('No matches') : subject === 'requests' ? t('No requests') : t('No results');
}

function SelectionBar(): VNode | null {
  const { t, locale } = useContext(Panel);
  const { store, shown, subject, actOnRows } = useResults();
  const chosen = countPositions(shown.selected);
  if (chosen === 0) {
    return null;
  }
  const words = t('{0} selected', toNumber(chosen, locale));
  return (
    <div class="selectionBar flexWrap" role="toolbar" aria-label={t('Selected rows')}>
      <span role="status">{chosen === store.count && chosen > 1 ? t('All {0} selected', toNumber(chosen, locale)) : words}</span>
      <Button onClick={() => actOnRows('copyRows')}>{t('Copy Rows')}</Button>
      <Button onClick={() => actOnRows('copyIds')}>{t('Copy IDs')}</Button>
      <Button onClick={() => actOnRows('copyJson')}>{t('Copy as JSON')}</Button>
      <Button onClick={() => actOnRows('saveRequests')}>{t('Save Requests to New File...')}</Button>
      {subject === 'requests' ? null : <Button onClick={() => actOnRows('saveResults')}>{t('Export')}</Button>}
      <Button
        kind="link"
        onClick={() => {
          shown.select([]);
          shown.focusTable();
        }}
      >
        {t('Clear Selection')}
      </Button>
    </div>
  );
}

interface HeadProps {
  readonly head: ResultsHead;
  readonly count: string;
  readonly tokens: string;
  readonly onAct: (act: HeadAct) => void;
}

/** Title of the results, a note if they are incomplete, and actions on all of them. */
function Head({ head, count, tokens, onAct }: HeadProps): VNode {
  const { t } = useContext(Panel);
  return (
    <header class="head">
      <div class="headLine flexWrap flexBaseline">
        <h1 title={head.details}>{head.title}</h1>
        <ul class="headFacts faint">
          {count === '' ? null : (
            <li class="count" title={tokens}>
              {count}
            </li>
          )}
          {head.facts.map(fact => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        <div class="headActs flexWrap" role="toolbar" aria-label={head.subject === 'requests' ? t('All requests') : t('All results')}>
          {head.acts.map(act => (
            <Button key={act} onClick={() => onAct(act)} {...(act === 'more' && { label: t('More...') })}>
              {act === 'more' ? '…' : nameOf(act, t)}
            </Button>
          ))}
        </div>
      </div>
      {head.notices.map(({ tone, text, act }) => (
        <p key={text} class="notice" role={tone === 'error' ? 'alert' : undefined}>
          <Icon name={tone === 'plain' ? 'info' : tone} tone={tone} />
          <span>
            {text}{' '}
            {act === undefined ? null : (
              <Button kind="link" onClick={() => onAct(act.act)}>
                {act.label}
              </Button>
            )}
          </span>
        </p>
      ))}
    </header>
  );
}

function nameOf(act: HeadAct, t: Translate): string {
  const words = {
    export: t('Export'),
    compare: t('Compare'),
    createBatch: t('Create Batch...'),
    fix: t('Fix Problems'),
    openRequests: t('Open File'),
  };
  return ownValue(words, act) ?? '';
}

startPanel<FromWebview, ToWebview, ResultsState>((saved, post) => {
  const store = new ResultsStore(post);
  const draw = () => store.snapshot && <App {...{ store, saved, post }} snapshot={store.snapshot} />;
  return { store, post: toControlPost(post), draw };
});
