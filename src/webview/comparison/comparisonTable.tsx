import type { VNode } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { isRowMove, rowAfter } from '../list/rowMoves';
import '../results/table.css';
import { actOfKey } from '../results/tableKeys';
import { rowHeight, useTableScrolling } from '../results/useTableScrolling';
import { Panel } from '../session/panelContext';
import './comparison.css';
import { HeadRow, Row } from './comparisonRow';
import type { ComparisonStore } from './comparisonStore';

interface TableProps {
  readonly store: ComparisonStore;
  readonly active: number;
  /** Changes when the keyboard is to come here. */
  readonly focusToken: number;
  readonly onActive: (place: number) => void;
  readonly onOpen: (place: number, takesFocus: boolean) => void;
  readonly onClose: () => void;
}

/** Rows are drawn this many pixels above and below what is in view. */
const margin = 2 * rowHeight;

/** The rows that can be seen of any number: the host is asked for those, and the page holds no others. */
export function ComparisonTable({ store, active, focusToken, onActive, onOpen, onClose }: TableProps): VNode {
  const { t } = useContext(Panel);
  const grid = useRef<HTMLDivElement>(null);
  const { shown, top, onScroll } = useTableScrolling(grid, store, active);
  const range = shown.rangeAt(top, margin);
  useLayoutEffect(() => store.want(range.from, range.to));
  useLayoutEffect(() => {
    if (focusToken > 0) {
      grid.current?.focus({ preventScroll: true });
    }
  }, [focusToken]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = actOfKey(event);
    if (act === undefined || event.target !== grid.current) {
      return;
    }
    const place = isRowMove(act) ? rowAfter(act, active, shown, (shown.viewport % rowHeight) + rowHeight) : undefined;
    if (place !== undefined) {
      event.preventDefault();
      onActive(place);
      if (store.pair !== undefined) {
        onOpen(place, false);
      }
    } else if (act === 'open' || act === 'toggle') {
      event.preventDefault();
      onOpen(active, true);
    } else if (act === 'leave' && store.pair !== undefined) {
      event.preventDefault();
      onClose();
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a table could not lie where those that are seen are
    <div
      ref={grid}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-colcount={6}
      aria-label={t('Requests of both runs')}
      aria-rowcount={store.count + 1}
      aria-activedescendant={active < store.count ? `row-${active}` : undefined}
      aria-keyshortcuts="Enter Space"
      onScroll={onScroll}
      onClick={event => {
        const row = event.target instanceof Element ? event.target.closest('.extent > .row') : null;
        if (row !== null) {
          const place = Number(row.getAttribute('aria-rowindex')) - 2;
          onActive(place);
          onOpen(place, false);
        }
      }}
      onKeyDown={onKeyDown}
    >
      <HeadRow />
      <div class="extent" role="presentation" style={{ height: `${shown.extent}px` }}>
        {shown.drawnOf(range, active).map(place => (
          <Row
            key={place}
            place={place}
            row={store.rowAt(place)}
            top={shown.offsetOf(place, top)}
            isActive={place === active}
            isOpen={place === store.pair?.place}
          />
        ))}
      </div>
    </div>
  );
}
