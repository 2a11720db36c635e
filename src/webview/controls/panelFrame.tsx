import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { translate } from '../../shared/session/translateText';
import './loadingBar.css';
import { LiveRegion, useAnnouncer } from './liveRegion';
import { Panel, type PanelContext } from './panelContext';
import './panel.css';

interface PanelFrameProps extends Pick<PanelContext, 'memory' | 'post'> {
  readonly store: { onDidChange(listener: () => void): () => void };
  /** Renders the panel. Returns `undefined` until the host has sent its content. */
  readonly draw: (context: PanelContext) => VNode | undefined;
}

/** A panel that renders again when its store changes. Shows a loading bar until it has content. */
export function PanelFrame({ store, memory, post, draw }: PanelFrameProps): VNode {
  useStore(store);
  const { announce, spoken } = useAnnouncer();
  const context = useMemo<PanelContext>(() => ({ post, announce, memory, ...readTexts() }), []);
  return (
    <Panel.Provider value={context}>
      {draw(context) ?? (
        <main class="panel" aria-busy="true">
          <div class="loadingBar" />
        </main>
      )}
      <LiveRegion spoken={spoken} />
    </Panel.Provider>
  );
}

/** Renders again when a store changes. */
export function useStore(store: PanelFrameProps['store']): void {
  const [, draw] = useState(0);
  // Subscribes before the first paint: the host may answer earlier.
  useLayoutEffect(() => store.onDidChange(() => draw(count => count + 1)), [store]);
}

/** Reads the locale and the translations that the host wrote into the page. */
function readTexts(): Pick<PanelContext, 'locale' | 't'> {
  const translations = JSON.parse(document.getElementById('root')?.dataset.translations ?? '{}');
  return { locale: document.documentElement.lang || 'en', t: (text, ...args) => translate(translations, text, args) };
}
