import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { Panel } from '../../controls/panelContext';
import type { PanelStore } from '../panelStore';
import type { RowsContext } from '../rowsContext';
import { Sought } from '../../controls/text/longText';
import type { TimelineControl } from '../useTimeline';
import { Timeline } from './timelineView';

interface TimelineAreaProps {
  readonly store: PanelStore;
  readonly thread: string;
  readonly timeline: TimelineControl;
  readonly shared: RowsContext;
  readonly isTabbed: boolean;
  readonly onKeys: () => void;
}

/** Rows of the displayed thread, or the reason why there are none. */
export function TimelineArea({ store, thread, timeline, shared, isTabbed, onKeys }: TimelineAreaProps): VNode {
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
    <div class="timelineArea" id="timeline" role={isTabbed ? 'tabpanel' : undefined}>
      {isLoading ? (
        <progress class="loadingRows thinProgress" aria-label={t('Loading…')} max={state.expectedRows} value={state.rows.length} />
      ) : null}
      {state.model.length === 0 && !(isLoading && state.rows.length === 0) ? <p class="empty">{t('Nothing to show')}</p> : null}
      <Sought.Provider value={timeline.pattern}>
        <Timeline
          handle={timeline.list}
          model={state.model}
          open={state.open}
          shared={shared}
          toShown={timeline.toShown}
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
