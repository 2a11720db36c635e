import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { FromWebview as FromSession } from '../../shared/session/sessionProtocol';
import type { Translations } from '../../shared/session/translateText';
import './loadingBar.css';
import { LiveRegion, useAnnouncer } from './liveRegion';
import { Panel, type PanelContext } from './panelContext';
import './panel.css';
import { translate } from '../../shared/session/translateText';

/** Messages from components that are shared with the session panel. */
export type SharedMessage = Extract<FromSession, { readonly type: 'openLink' | 'copyText' }>;

/** State of a panel, with the interface texts. */
interface PanelStore<Snapshot> {
  readonly snapshot: Snapshot | undefined;
  onDidChange(listener: () => void): () => void;
}

interface StorePanelProps<Snapshot> {
  readonly store: PanelStore<Snapshot>;
  readonly memory: PanelContext['memory'];
  readonly post: (message: SharedMessage) => void;
  readonly draw: (snapshot: Snapshot, context: PanelContext) => VNode;
}

/** A panel that renders again when its store changes. Shows a loading bar until the first snapshot. */
export function StorePanel<Snapshot extends { readonly locale: string; readonly translations: Translations }>({
  store,
  memory,
  post,
  draw,
}: StorePanelProps<Snapshot>): VNode {
  const [, drawAnew] = useState(0);
  useLayoutEffect(() => store.onDidChange(() => drawAnew(count => count + 1)), [store]);
  const { announce, spoken } = useAnnouncer();
  const { snapshot } = store;
  const locale = snapshot?.locale ?? 'en';
  const translations = snapshot?.translations;
  const context = useMemo<PanelContext>(
    () => ({
      post: message => {
        if (message.type === 'openLink' || message.type === 'copyText') {
          post(message);
        }
      },
      ...{ locale, announce, memory },
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
        draw(snapshot, context)
      )}
      <LiveRegion spoken={spoken} />
    </Panel.Provider>
  );
}
