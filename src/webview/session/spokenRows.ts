import { useEffect } from 'preact/hooks';
import type { Row } from '../../shared/session/rows/rows';
import type { Translate } from '../../shared/session/translateText';
import { toLabel } from '../../shared/text';
import type { PanelContext } from '../controls/panelContext';
import { isPreview, type PanelStore } from './panelStore';

/** Announces finished messages, errors and gaps as they arrive, never text that is still being written. */
export function useSpokenRows(store: PanelStore, thread: string, { t, announce }: PanelContext): void {
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
