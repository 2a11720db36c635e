import type { VNode } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { kindOf } from '../../shared/session/rows/rowKinds';
import type { Row } from '../../shared/session/rows/rows';
import { isFindKey, useWindowKeys } from '../controls/focus';
import { Panel, type PanelContext, useRememberedFlag } from '../controls/panelContext';
import type { SavedState } from '../controls/savedState';
import { startPanel } from '../controls/startPanel';
import { Sought } from '../controls/text/longText';
import { Asks } from './asks';
import { Composer, useDraft } from './composer/composer';
import { Header } from './header/header';
import { isPreview, PanelStore } from './panelStore';
import { Pictures } from './pictures/pictures';
import { ReplayBar } from './replay/replayBar';
import { Rows, type RowsContext, Runs, useRowsContext } from './rowsContext';
import { ThreadTabs } from './threads/threadTabs';
import { KeysHelp } from './timeline/keysHelp';
import { Timeline } from './timeline/timelineView';
import { Toolbar } from './toolbar/toolbar';
import { type TimelineControl, useTimeline } from './useTimeline';
import './session.css';
import type { FromWebview, PanelState, ToWebview } from '../../shared/session/sessionProtocol';
import type { FromStart, ToStart } from '../../shared/session/startProtocol';
import type { Translate } from '../../shared/session/translateText';
import { toLabel } from '../../shared/text';
import { NewSession } from './start/newSession';

interface AppProps {
  readonly store: PanelStore;
  readonly saved: SavedState;
  readonly post: PanelContext['post'];
}

/** The session panel: header, threads, timeline, asks and composer. */
function Session({ store, session, saved, post }: AppProps & { readonly session: NonNullable<PanelStore['session']> }): VNode {
  const context = useContext(Panel);
  const [thread, setThread] = useState(saved.state.thread ?? '');
  const [showsKeys, setShowsKeys] = useState(false);
  const [picturesShown, setPicturesShown] = useRememberedFlag('pictures', false);
  const [draft, setDraft] = useDraft(saved);
  const [seq, setSeq] = useState<number>();
  const showThread = useCallback(
    (id: string) => {
      // Posted every time, because the host only watches recently opened threads.
      post({ type: 'openThread', thread: id });
      saved.update({ thread: id });
      setThread(id);
      setSeq(undefined);
    },
    [store],
  );
  const timeline = useTimeline({ store, saved, post, thread });
  const shared = useRowsContext({
    ...{ thread, showThread, context, canWrite: session.canWrite },
    view: session.isReplay ? undefined : session.view,
    threads: session.view.threads,
    setOpen: (key, isOpen) => timeline.list.current?.setOpen(key, isOpen),
    transcript: () => store.thread(thread)?.rows,
    ...{ prices: session.prices, agentModel: session.view.agent?.model },
  });
  const { askFocus, composerFocus, focusComposer } = useNews({ store, saved, post, thread, showThread, timeline });
  useWindowKeys(event => {
    if (isFindKey(event)) {
      event.preventDefault();
      timeline.focusSearch();
    }
  });
  const hasInput = useRef(false);
  const noteInput = (): void => {
    if (!hasInput.current) {
      hasInput.current = true;
      post({ type: 'keep' });
    }
  };
  useSpokenRows(store, thread, context);
  const { view } = session;
  const seek = (to: number, isLast: boolean): void => {
    setSeq(isLast ? undefined : to);
    post({ type: 'viewAt', thread, seq: to });
  };
  const onExport = (): void => post({ type: 'export', thread, ...timeline.shownFilter });
  /** Goes to a row of the session's own log, to which asks and charts refer. */
  const showRow = (key: string): void => {
    if (thread !== '') {
      showThread('');
    }
    timeline.revealSoon(key);
  };
  return (
    <Rows.Provider value={shared}>
      <main class="panel" onInput={noteInput}>
        <Header view={view} connection={session.connection} source={session.source} canWrite={session.canWrite} onMessage={focusComposer} />
        <ThreadTabs threads={view.threads} shown={thread} onShow={showThread} />
        <Toolbar
          tools={timeline.toolbar}
          onExport={onExport}
          onKeys={() => setShowsKeys(true)}
          picturesShown={picturesShown}
          onPictures={setPicturesShown}
        />
        {picturesShown ? (
          <Pictures rows={timeline.pictureRows} view={view} prices={session.prices} selectedKey={timeline.selectedKey} onSelect={showRow} />
        ) : null}
        <Runs.Provider value={new Map(view.runs?.map(run => [run.id, run]))}>
          <TimelineArea {...{ store, thread, timeline, shared }} isTabbed={view.threads.length > 1} onKeys={() => setShowsKeys(true)} />
        </Runs.Provider>
        <Asks
          asks={view.asks}
          canWrite={session.canWrite}
          focusToken={askFocus.count}
          focusEventId={askFocus.eventId}
          onLeft={focusComposer}
          onShow={showRow}
        />
        {session.isReplay ? (
          <ReplayBar key={thread} rows={store.thread(thread)?.rows.all ?? noRows} seq={seq} onSeek={seek} />
        ) : (
          <Composer
            thread={thread}
            canSend={session.canWrite && view.canSend}
            whyNot={view.whyNot}
            draft={draft}
            onDraft={setDraft}
            view={view}
            composing={store.composing}
            panelActs={{
              onExport,
              onSearch: timeline.focusSearch,
              onKeys: () => setShowsKeys(true),
              lastKey: () => store.thread('')?.rows.all.findLast(row => kindOf(row).isStartable)?.key,
            }}
            focusToken={composerFocus}
          />
        )}
      </main>
      {showsKeys ? <KeysHelp onClose={() => setShowsKeys(false)} /> : null}
    </Rows.Provider>
  );
}

const noRows: readonly Row[] = [];

interface NewsOptions extends Pick<AppProps, 'store' | 'saved' | 'post'> {
  readonly thread: string;
  readonly showThread: (id: string) => void;
  readonly timeline: TimelineControl;
}

/** Handles the host's requests to reveal a row or move the focus. Each increase of a counter moves the focus to its part of the panel. */
function useNews({ store, saved, post, thread, showThread, timeline }: NewsOptions) {
  const [askFocus, setAskFocus] = useState<{ readonly count: number; readonly eventId?: string | undefined }>({ count: 0 });
  const [composerFocus, setComposerFocus] = useState(0);
  const focusComposer = (): void => setComposerFocus(count => count + 1);
  useEffect(() => {
    // A thread that was shown before the reload is not open yet.
    if (thread !== '' && store.thread(thread) === undefined) {
      post({ type: 'openThread', thread });
    }
  }, []);
  useEffect(() => {
    for (const news of store.takeNews()) {
      if (news.type === 'reveal') {
        if (news.thread !== (saved.state.thread ?? '')) {
          showThread(news.thread);
        }
        if (news.key !== '') {
          timeline.revealSoon(news.key, news.leavesKeyboard !== true);
        }
      } else if (news.target === 'search') {
        timeline.focusSearch();
      } else if (news.target === 'ask') {
        setAskFocus(({ count }) => ({ count: count + 1, eventId: news.eventId }));
      } else {
        focusComposer();
      }
    }
  });
  return { askFocus, composerFocus, focusComposer };
}

interface TimelineAreaProps {
  readonly store: PanelStore;
  readonly thread: string;
  readonly timeline: TimelineControl;
  readonly shared: RowsContext;
  readonly isTabbed: boolean;
  readonly onKeys: () => void;
}

/** Rows of the displayed thread, or the reason why there are none. */
function TimelineArea({ store, thread, timeline, shared, isTabbed, onKeys }: TimelineAreaProps): VNode {
  const { t } = useContext(Panel);
  const state = store.thread(thread);
  if (state === undefined) {
    return (
      <div class="loading" role="status">
        {t('Loading…')}
      </div>
    );
  }
  const isLoading = !state.isWhole;
  return (
    <div class="timelineArea flexColumn" id="timeline" role={isTabbed ? 'tabpanel' : undefined}>
      {isLoading ? (
        <progress class="thinProgress topProgress" aria-label={t('Loading…')} max={state.expectedRows} value={state.rows.length} />
      ) : null}
      {state.model.length === 0 && !(isLoading && state.rows.length === 0) ? <p class="empty">{t('Nothing to show')}</p> : null}
      <Sought.Provider value={timeline.pattern}>
        <Timeline
          handle={timeline.list}
          model={state.model}
          open={state.open}
          shared={shared}
          label={t('Timeline')}
          isBusy={isLoading}
          pattern={timeline.pattern}
          onSelect={timeline.onSelect}
          onMoved={timeline.onMoved}
          onAct={act => (act === 'search' ? timeline.focusSearch() : onKeys())}
        />
      </Sought.Provider>
    </div>
  );
}

/** Announces finished messages, errors and gaps as they arrive, never text that is still being written. */
function useSpokenRows(store: PanelStore, thread: string, { t, announce }: PanelContext): void {
  useEffect(
    () =>
      store.onDidSplice(({ thread: spliced, removed, added }) => {
        // Rows from the history are not announced.
        if (spliced !== thread || store.session?.connection.name !== 'live' || store.thread(spliced)?.isWhole !== true) {
          return;
        }
        const known = new Set(removed.filter(row => !isPreview(row)).map(({ key }) => key));
        for (const row of added) {
          const words = known.has(row.key) ? undefined : toWords(row, t);
          if (words !== undefined) {
            announce(words);
          }
        }
      }),
    [store, thread, t, announce],
  );
}

function toWords(row: Row, t: Translate): string | undefined {
  switch (row.kind) {
    case 'agent':
      return row.preview === true ? undefined : t('Agent: {0}', toLabel(row.summary));
    case 'error':
      return t('Error: {0}', toLabel(row.message));
    case 'gap':
      return t('Events may be missing: {0}', toLabel(row.problem));
    default:
      return undefined;
  }
}

/** Minimum delay between renders while rows arrive faster than anybody can read, in milliseconds. */
const stormPause = 100;

startPanel<FromWebview | FromStart, ToWebview | ToStart, PanelState>((saved, post) => {
  const store = new PanelStore((task, isStorm) =>
    isStorm ? setTimeout(() => requestAnimationFrame(task), stormPause) : requestAnimationFrame(task),
  );
  const draw = () =>
    store.start !== undefined ? (
      <NewSession {...{ store, saved }} start={store.start} />
    ) : (
      store.session && <Session {...{ store, saved, post }} session={store.session} />
    );
  return { store, post, draw };
});
