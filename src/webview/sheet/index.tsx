import type { VNode } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { FromWebview, SheetState, SheetView, ToWebview } from '../../shared/sheet/sheetProtocol';
import { Button } from '../controls/button';
import { useLostFocus, useWindowKeys } from '../controls/focus';
import { Panel } from '../controls/panelContext';
import type { SavedState } from '../controls/savedState';
import { startPanel } from '../controls/startPanel';
import { Act, Blocks, Fold, Links, Section, ToneIcon } from './section';
import './sheet.css';
import { HostStore } from '../controls/hostStore';

interface AppProps {
  readonly store: SheetStore;
  readonly view: SheetView;
  readonly saved: SavedState<SheetState>;
  readonly post: (message: FromWebview) => void;
}

/** The sheet: facts about the file in one scrolling column, and the actions below it. */
function App({ store, view, saved, post }: AppProps): VNode {
  const page = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { announce } = useContext(Panel);
  const { fix } = view.foot;

  useEffect(() => {
    // The heading gets the focus when the page loads, instead of a button. If another editor has the focus, the focus stays there.
    const take = (): void => {
      if (document.activeElement === document.body) {
        heading.current?.focus({ preventScroll: true });
      }
    };
    if (document.hasFocus()) {
      take();
    }
    window.addEventListener('focus', take);
    return () => window.removeEventListener('focus', take);
  }, []);
  useEffect(() => {
    scroller.current?.scrollTo({ top: saved.state.scrolled ?? 0 });
  }, [view.top.length > 0]);
  useEffect(() => {
    if (view.spoken !== '') {
      announce(view.spoken);
    }
  }, [view.spoken]);
  useEffect(() => saved.update({ wish: view.wish }), [JSON.stringify(view.wish)]);
  // A new object makes this run after every render, because any render may remove the focused element.
  useLostFocus(page, {}, () => heading.current?.focus({ preventScroll: true }));
  useWindowKeys(event => {
    const isPress = event.target instanceof Element && event.target.closest('button, summary, input') !== null;
    if (event.defaultPrevented || event.isComposing) {
      return;
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      post({ type: 'close' });
    } else if (event.key === 'Enter' && !isPress && !event.repeat && fix !== undefined) {
      // Enter only opens the first problem and never sends.
      post(fix.act);
    }
  });

  return (
    <Act.Provider value={post}>
      <div class="sheet flexColumn" ref={page}>
        <main
          ref={scroller}
          class="scroller"
          aria-busy={view.isBusy}
          onScrollEnd={({ currentTarget }) => saved.update({ scrolled: currentTarget.scrollTop })}
        >
          <div class="column">
            <div class="head flexWrap flexBaseline">
              <h1 ref={heading} tabIndex={-1}>
                {view.title} <span class="subtitle faint">{view.subtitle}</span>
              </h1>
              <Links links={view.connection && [view.connection]} />
            </div>
            <Blocks id="top" blocks={view.top} />
            {view.details.length === 0 ? null : (
              <Fold name="details" title={view.detailsTitle}>
                {view.details.map(section => (
                  <Section key={section.id} section={section} />
                ))}
              </Fold>
            )}
          </div>
        </main>
        <Foot view={view} share={store.share} create={() => post({ type: 'create', revision: view.revision })} />
      </div>
    </Act.Provider>
  );
}

function Foot({ view, share, create }: { view: SheetView; share: number | undefined; create: () => void }): VNode {
  const act = useContext(Act);
  const { status, table, close, create: send, leadOn, fix } = view.foot;
  return (
    <footer class="foot">
      <div class="column footRow">
        <div class="status" id="status">
          <div class="statusText">
            <ToneIcon tone={status.tone} />
            <span>{status.text}</span>
            <Links links={status.links} />
          </div>
          {table === undefined ? null : <Links links={[table]} />}
          {share === undefined ? null : <progress class="thinProgress" aria-label={status.text} max={1} value={share} />}
        </div>
        <div class="buttons">
          <Button onClick={() => act({ type: 'close' })}>{close}</Button>
          {fix === undefined ? null : (
            <Button
              kind={(send === undefined || send.isDoubtful) && leadOn === undefined ? 'primary' : 'secondary'}
              onClick={() => act(fix.act)}
            >
              {fix.label}
            </Button>
          )}
          {leadOn === undefined ? null : <Button onClick={() => act(leadOn.act)}>{leadOn.label}</Button>}
          {send === undefined ? null : (
            // `disabled` is not used, because it would remove the focus.
            <button
              type="button"
              class={`button button-${send.isDoubtful ? 'secondary' : 'primary'}`}
              aria-disabled={send.isDisabled}
              aria-describedby="status"
              onKeyDown={event => {
                // A held key counts as one press.
                if (event.repeat && (event.key === 'Enter' || event.key === ' ')) {
                  event.preventDefault();
                }
              }}
              onClick={({ detail }) => {
                // The second click of a double click doesn't count as a decision.
                if (!send.isDisabled && detail < 2) {
                  create();
                }
              }}
            >
              {send.label}
            </button>
          )}
        </div>
      </div>
    </footer>
  );
}

/** Latest message of the host. */
class SheetStore extends HostStore<ToWebview> {
  view: SheetView | undefined;
  /** Progress of the work in `view.foot.status`, from 0 to 1. */
  share: number | undefined;

  receive(message: ToWebview): void {
    switch (message.type) {
      case 'view':
        this.view = message.view;
        this.share = message.view.foot.status.share;
        break;
      case 'progress':
        // A progress message may arrive after the view that reports the end, so the share never decreases.
        this.share = this.share === undefined ? undefined : Math.max(this.share, message.share);
        break;
    }
    this.changed();
  }
}

startPanel<FromWebview, ToWebview, SheetState>((saved, post) => {
  const store = new SheetStore();
  return { store, post: () => {}, draw: () => store.view && <App {...{ store, saved, post }} view={store.view} /> };
});
