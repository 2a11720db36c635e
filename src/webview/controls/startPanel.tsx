import { render, type VNode } from 'preact';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { translate } from '../../shared/session/translateText';
import type { HostStore, ReplyStore } from './hostStore';
import { Loaded, Panel, type PanelContext, Sends } from './panelContext';
import { SavedState } from './savedState';
import './panel.css';
import './controls.css';

interface WebviewApi<From, State> {
  postMessage(message: From): void;
  getState(): State | undefined;
  setState(state: State): void;
}

declare function acquireVsCodeApi<From, State>(): WebviewApi<From, State>;

interface PanelParts<To> extends Pick<PanelContext, 'post'> {
  readonly store: HostStore<To> & Partial<Pick<ReplyStore<To>, 'loadedParts' | 'sendResults'>>;
  /** Renders the panel. Returns `undefined` until the host has sent its content. */
  readonly draw: (context: PanelContext) => VNode | undefined;
}

/** Renders a panel into the page, passes the messages of the host to it, and asks the host for its content. */
export function startPanel<From extends { readonly type: string }, To, State extends object>(
  create: (saved: SavedState<State>, post: (message: From) => void) => PanelParts<To>,
): void {
  const root = document.getElementById('root');
  if (root === null) {
    return;
  }
  const host = acquireVsCodeApi<From | { readonly type: 'ready' }, State>();
  const saved = new SavedState<State>(host, root.dataset.state);
  const parts = create(saved, message => host.postMessage(message));
  window.addEventListener('message', (event: MessageEvent<To>) => parts.store.receive(event.data));
  render(<PanelFrame {...parts} memory={saved} />, root);
  host.postMessage({ type: 'ready' });
}

/** A panel that renders again when its store changes. Shows a loading bar until the panel has content. */
function PanelFrame<To>({ store, memory, post, draw }: PanelParts<To> & Pick<PanelContext, 'memory'>): VNode {
  const [, render] = useState(0);
  // Subscribes before the first paint, because the host may respond earlier.
  useLayoutEffect(() => store.onDidChange(() => render(count => count + 1)), [store]);
  const { announce, spoken } = useAnnouncer();
  const context = useMemo<PanelContext>(() => ({ post, announce, memory, ...readTexts() }), []);
  return (
    <Panel.Provider value={context}>
      <Sends.Provider value={store.sendResults ?? nothing}>
        <Loaded.Provider value={store.loadedParts ?? nothing}>
          {draw(context) ?? (
            <main class="panel" aria-busy="true">
              <div class="loadingBar" />
            </main>
          )}
        </Loaded.Provider>
      </Sends.Provider>
      <div class="only-read-aloud" role="status" aria-live="polite">
        <span key={spoken.count}>{spoken.words}</span>
      </div>
    </Panel.Provider>
  );
}

const nothing = new Map<string, never>();

function readTexts(): Pick<PanelContext, 'locale' | 't'> {
  const translations = JSON.parse(document.getElementById('root')?.dataset.translations ?? '{}');
  return { locale: document.documentElement.lang || 'en', t: (text, ...args) => translate(translations, text, args) };
}

/** A text to announce, and a number that changes if the same text is announced again. */
interface Spoken {
  readonly words: string;
  readonly count: number;
}

/** Time in which texts are collected to be announced together, in milliseconds. */
const pause = 400;
const maxAtOnce = 3;

/** Collects announcements for a screen reader. If there are many, only the latest are announced. */
function useAnnouncer(): { readonly announce: (text: string) => void; readonly spoken: Spoken } {
  const [spoken, say] = useState<Spoken>({ words: '', count: 0 });
  const waiting = useRef<string[]>([]);
  const announce = useCallback((text: string) => {
    if (waiting.current.length === 0) {
      setTimeout(() => {
        const words = waiting.current.slice(-maxAtOnce).reduce((said, text) => `${said}${/[.!?…]$/.test(said) ? '' : '.'} ${text}`);
        waiting.current = [];
        say(({ count }) => ({ words, count: count + 1 }));
      }, pause);
    }
    waiting.current.push(text);
  }, []);
  return { announce, spoken };
}
