import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FromWebview, ResultOrder, ResultsState } from '../../shared/results/resultsProtocol';
import '../session/controls/loadingBar.css';
import { toCount } from '../session/controls/numbers';
import { LiveRegion, useAnnouncer } from '../session/liveRegion';
import { Panel, type PanelContext } from '../session/panelContext';
import type { SavedState } from '../session/savedState';
import '../session/session.css';
import { translate } from '../session/translateText';
import { Head } from './head';
import { PairView } from './pair';
import type { PlaceRanges } from './placeRanges';
import { QueryBar } from './queryBar';
import { Pictures } from './resultPictures';
import './results.css';
import type { ResultsStore } from './resultsStore';
import { SelectionBar } from './selectionBar';
import { Splitter } from './splitter';
import { Table } from './tableView';

interface AppProps {
  readonly store: ResultsStore;
  readonly saved: SavedState<ResultsState>;
  readonly post: (message: FromWebview) => void;
}

/** The results panel: what was fetched, the query, the table, and the pair of request and answer that is open. */
export function App({ store, saved, post }: AppProps): VNode {
  const [, draw] = useState(0);
  useLayoutEffect(() => store.onDidChange(() => draw(count => count + 1)), [store]);
  const { announce, spoken } = useAnnouncer();
  const { snapshot } = store;
  const locale = snapshot?.locale ?? 'en';
  const translations = snapshot?.translations;
  const context = useMemo<PanelContext>(
    () => ({
      // The parts shared with the session panel send these two.
      post: message => {
        if (message.type === 'openLink' || message.type === 'copyText') {
          post(message);
        }
      },
      ...{ locale, announce, memory: saved },
      t: (text, ...args) => translate(translations, text, args),
    }),
    [translations, locale],
  );
  return (
    <Panel.Provider value={context}>
      {snapshot === undefined ? (
        <main class="panel" aria-busy="true">
          <div class="loadingBar" />
        </main>
      ) : (
        <Results store={store} saved={saved} post={post} context={context} data={snapshot.data} />
      )}
      <LiveRegion spoken={spoken} />
    </Panel.Provider>
  );
}

function Results({ store, saved, post, context, data }: AppProps & { context: PanelContext; data: number }): VNode {
  const { t, locale, announce } = context;
  const [query, setQuery] = useState(saved.state.query ?? '');
  const [order, setOrder] = useState<ResultOrder | undefined>(saved.state.order);
  const [active, setActive] = useState(saved.state.active ?? 0);
  const [selected, setSelected] = useState<PlaceRanges>([]);
  const [hasPictures, setPictures] = useState(saved.state.hasPictures ?? false);
  const [split, setSplit] = useState(saved.state.split ?? 50);
  const [tableFocus, setTableFocus] = useState(0);
  const [pairFocus, setPairFocus] = useState(0);
  const [queryFocus, setQueryFocus] = useState(0);
  const openId = useRef(saved.state.open);
  /** What was open when the rows were asked for that come next. */
  const keptId = useRef<string>(undefined);
  /** The host named what is open: a filter that hides it gives way. */
  const isNamed = useRef(false);
  const area = useRef<HTMLDivElement>(null);
  const { snapshot, arranged, pair, searched } = store;
  const isReady = snapshot?.head.isReady === true;

  const ask = (nextQuery: string, nextOrder: ResultOrder | undefined): void => {
    keptId.current = openId.current;
    store.arrange(nextQuery, nextOrder, openId.current);
  };
  const arrange = (nextQuery: string, nextOrder: ResultOrder | undefined): void => {
    setQuery(nextQuery);
    setOrder(nextOrder);
    saved.update({ query: nextQuery, ...{ order: nextOrder } } as Partial<ResultsState>);
    ask(nextQuery, nextOrder);
  };
  const activate = (place: number): void => {
    setActive(place);
    saved.update({ active: place });
  };
  const open = (place: number, takesFocus: boolean): void => {
    if (place < store.count) {
      // Its whole id comes with the pair.
      openId.current = store.rowAt(place)?.id ?? openId.current;
      store.openPair(place);
      if (takesFocus) {
        setPairFocus(count => count + 1);
      }
    }
  };
  const close = (): void => {
    openId.current = undefined;
    saved.update({ open: undefined } as unknown as Partial<ResultsState>);
    store.closePair();
    setTableFocus(count => count + 1);
  };

  useEffect(() => {
    if (isReady) {
      ask(query, order);
    }
  }, [data, isReady]);
  useLayoutEffect(() => {
    if (arranged === undefined) {
      return;
    }
    setSelected([]);
    const { count, place, all } = arranged;
    const isHidden = isNamed.current && place === undefined && query !== '';
    if (openId.current !== keptId.current) {
      // A pair was opened while these were on their way.
      ask(query, order);
      return;
    }
    isNamed.current = false;
    if (isHidden) {
      arrange('', order);
      return;
    }
    if (place !== undefined && openId.current !== undefined) {
      setActive(place);
      store.reopenPair(place);
    } else {
      // What was open is not among the rows; it stays kept for when the query lets it through again.
      store.pair = undefined;
      setActive(current => Math.max(0, Math.min(current, count - 1)));
    }
    announce(toCountWords(count, all, context));
  }, [arranged]);
  useEffect(() => {
    const id = store.takeRevealed();
    if (id !== undefined) {
      openId.current = id;
      isNamed.current = true;
      saved.update({ open: id });
      ask(query, order);
    }
  });
  useEffect(() => {
    if (pair?.pair !== undefined && pair.problem === undefined) {
      openId.current = pair.pair.customId;
      saved.update({ open: pair.pair.customId });
    }
  }, [pair?.pair]);
  useEffect(() => {
    if (hasPictures && arranged !== undefined && store.survey?.revision !== store.revision) {
      post({ type: 'survey', revision: store.revision });
    }
  }, [hasPictures, arranged]);

  if (snapshot === undefined) {
    return <main class="panel" />;
  }
  const openPlace = pair?.place;
  return (
    <main
      class="panel"
      onKeyDown={event => {
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f' && !event.shiftKey && !event.altKey) {
          event.preventDefault();
          setQueryFocus(count => count + 1);
        }
      }}
    >
      <Head head={snapshot.head} onAct={act => post({ type: 'act', act })} />
      {isReady ? (
        <>
          <QueryBar
            store={store}
            query={query}
            focusToken={queryFocus}
            onQuery={next => arrange(next, order)}
            onLeave={() => setTableFocus(count => count + 1)}
            count={
              searched !== undefined
                ? t('Searching… {0} %', toCount(Math.floor(searched * 100), locale))
                : arranged === undefined
                  ? t('Loading…')
                  : toCountWords(arranged.count, arranged.all, context)
            }
            tokens={
              searched !== undefined || arranged === undefined || arranged.count === 0
                ? ''
                : t('{0} input, {1} output tokens', toCount(arranged.inputTokens, locale), toCount(arranged.outputTokens, locale))
            }
            hasPictures={hasPictures}
            onPictures={isOn => {
              setPictures(isOn);
              saved.update({ hasPictures: isOn });
            }}
          />
          {hasPictures ? (
            <Pictures
              survey={store.survey}
              isComing={store.survey?.revision !== store.revision}
              query={query}
              onQuery={next => arrange(next, order)}
            />
          ) : null}
          <div class="area" ref={area}>
            <div class="tableArea">
              {searched === undefined ? null : <progress class="searchProgress" value={searched} aria-label={t('Searching')} />}
              {arranged?.count === 0 ? (
                <p class="empty">{arranged.all === 0 ? t('There are no results.') : t('No result passes the filter.')}</p>
              ) : null}
              <Table
                store={store}
                order={order}
                active={active}
                selected={selected}
                openPlace={openPlace}
                focusToken={tableFocus}
                onOrder={next => arrange(query, next)}
                onActive={activate}
                onSelected={setSelected}
                onOpen={open}
                onAct={act => {
                  if (act === 'copy') {
                    post({
                      type: 'copy',
                      revision: store.revision,
                      ranges: selected.length > 0 ? selected : [[active, active + 1]],
                      as: 'tsv',
                    });
                  } else if (act === 'search') {
                    setQueryFocus(count => count + 1);
                  } else if (act === 'leave' && selected.length > 0) {
                    setSelected([]);
                  } else if (act === 'leave' && openPlace !== undefined) {
                    close();
                  }
                }}
              />
              <SelectionBar
                selected={selected}
                count={store.count}
                onCopy={as => post({ type: 'copy', revision: store.revision, ranges: selected, as })}
                onFile={what => post({ type: 'toFile', revision: store.revision, ranges: selected, what })}
                onClear={() => {
                  setSelected([]);
                  setTableFocus(count => count + 1);
                }}
              />
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
                  <PairView
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
                    onAct={act => post({ type: 'pair', revision: store.revision, place: pair.place, act })}
                    onClose={close}
                  />
                </div>
              </>
            )}
          </div>
        </>
      ) : null}
    </main>
  );
}

function toCountWords(count: number, all: number, { t, locale }: PanelContext): string {
  if (count === all) {
    return all === 1 ? t('1 result') : t('{0} results', toCount(all, locale));
  }
  return t('{0} of {1} results', toCount(count, locale), toCount(all, locale));
}
