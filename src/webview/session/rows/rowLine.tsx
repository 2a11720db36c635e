import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { dateTimeFormat } from '../../../shared/formats';
import type { Row } from '../../../shared/session/rows/rows';
import { toLabel } from '../../../shared/text';
import { Button } from '../../controls/button';
import { Icon, type IconName } from '../../controls/icon';
import { Panel } from '../../controls/panelContext';
import { Rows, threadNameOf, timeOf } from '../rowsContext';

interface RowLineProps {
  readonly row: Row;
  readonly icon: IconName;
  readonly spin?: boolean;
  /** True if the row is open. `undefined` if there is nothing to unfold. */
  readonly isOpen: boolean | undefined;
  readonly action?: ComponentChildren;
  readonly facts?: ComponentChildren;
  readonly below?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** First line of every row: icon, text, facts, time. A click on the text folds or unfolds the row. */
export function RowLine({ row, icon, spin = false, isOpen, action, facts, below, children }: RowLineProps): VNode {
  const { t, locale } = useContext(Panel);
  const shared = useContext(Rows);
  const { setOpen, showThread } = shared;
  const threadName = threadNameOf(row, shared);
  const { at } = row;
  const time = timeOf(at, locale);
  return (
    <>
      <Icon name={icon} spin={spin} />
      {threadName === undefined ? null : (
        <span class="rowThread">
          <Button kind="link" label={t('Show Thread {0}', toLabel(threadName, 80))} onClick={() => showThread(row.thread ?? '')}>
            {toLabel(threadName, 80)}
          </Button>
        </span>
      )}
      {isOpen === undefined ? (
        <div class="rowHead cutEnd">{children}</div>
      ) : (
        <button
          type="button"
          class="rowHead foldable cutEnd"
          tabIndex={-1}
          aria-expanded={isOpen}
          onClick={() => setOpen(row.key, !isOpen)}
        >
          <span class="rowFold">
            <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} />
          </span>
          {children}
        </button>
      )}
      {action}
      {(facts !== undefined && facts !== null && facts !== '') || action !== undefined ? (
        <span class="rowFacts cutEnd">{facts}</span>
      ) : null}
      {at === undefined || time === undefined ? null : (
        <time
          class="rowTime"
          onPointerEnter={event => {
            // Set on hover, because formatting the full time takes longer than rendering the rest of the line.
            const full = dateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' }).format(at);
            event.currentTarget.title = `${full}\n${new Date(at).toISOString()}`;
          }}
        >
          {time}
        </time>
      )}
      {isOpen === true && below !== undefined ? <div class="rowBody">{below}</div> : null}
    </>
  );
}
