import type { VNode } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { ResultOrder } from '../../shared/results/resultsProtocol';
import type { ListWindow } from '../list/listWindow';
import { isRowMove, rowAfter } from '../list/rowMoves';
import { Panel } from '../session/panelContext';
import { toColumnStyle } from './columnWidths';
import { HeadRow } from './headRow';
import { addPlaces, hasPlace, type PlaceRanges, togglePlace } from './placeRanges';
import type { ResultsStore } from './resultsStore';
import './table.css';
import { rowMenus } from './rowMenu';
import { actOfKey, type TableAct } from './tableKeys';
import { Row } from './tableRows';
import { rowHeight, useTableScrolling } from './useTableScrolling';

interface TableProps {
  readonly store: ResultsStore;
  readonly order: ResultOrder | undefined;
  readonly active: number;
  readonly selected: PlaceRanges;
  readonly openPlace: number | undefined;
  /** Changes when the keyboard is to come here. */
  readonly focusToken: number;
  readonly onOrder: (order: ResultOrder | undefined) => void;
  readonly onActive: (place: number) => void;
  readonly onSelected: (ranges: PlaceRanges) => void;
  readonly onOpen: (place: number, takesFocus: boolean) => void;
  readonly onAct: (act: TableAct) => void;
}

/** Rows are drawn this many pixels above and below what is in view. */
const margin = 2 * rowHeight;

/** The rows that can be seen of any number: the host is asked for those, and the page holds no others. */
export function Table(props: TableProps): VNode {
  const { store, order, active, selected, openPlace, focusToken, onOrder } = props;
  const columns = store.snapshot?.columns ?? [];
  const { t } = useContext(Panel);
  const grid = useRef<HTMLDivElement>(null);
  const { shown, top, onScroll } = useTableScrolling(grid, store, active);
  const range = shown.rangeAt(top, margin);
  const idWidth = useIdWidth(store, range.from, range.to);
  useLayoutEffect(() => store.want(range.from, range.to));
  useLayoutEffect(() => {
    if (focusToken > 0) {
      grid.current?.focus({ preventScroll: true });
    }
  }, [focusToken]);

  const { onClick, onContextMenu, onKeyDown } = useChoosing(props, shown);
  const subject = store.snapshot?.head.subject ?? 'results';
  // Assistive technology is told of the active row wherever it is.
  const places = shown.drawnOf(range, active);
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a table could not lie where those that are seen are
    <div
      ref={grid}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-colcount={columns.length}
      aria-multiselectable
      aria-label={subject === 'requests' ? t('Requests') : t('Results')}
      aria-rowcount={store.count + 1}
      aria-busy={store.isArranging}
      aria-activedescendant={active < store.count ? `row-${active}` : undefined}
      aria-keyshortcuts="Enter Space Control+A Control+C"
      data-vscode-context={rowMenus[subject]}
      style={{ '--id-width': `${idWidth + 2}ch`, ...toColumnStyle(columns) }}
      onScroll={onScroll}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onKeyDown={event => {
        if (event.target === grid.current) {
          onKeyDown(event);
        }
      }}
    >
      <HeadRow columns={columns} order={order} onOrder={onOrder} onColumns={(next, isLasting) => store.arrangeColumns(next, isLasting)} />
      <div class="extent" role="presentation" style={{ height: `${shown.extent}px` }}>
        {places.map(place => (
          <Row
            key={place}
            columns={columns}
            place={place}
            row={store.rowAt(place)}
            top={shown.offsetOf(place, top)}
            isActive={place === active}
            isSelected={hasPlace(selected, place)}
            isOpen={place === openPlace}
          />
        ))}
      </div>
    </div>
  );
}

/** What a click and a key do: they choose rows, alone, in ranges or one by one, and open them. */
function useChoosing(
  props: TableProps,
  shown: ListWindow,
): Readonly<Record<'onClick' | 'onContextMenu', (event: MouseEvent) => void>> & { readonly onKeyDown: (event: KeyboardEvent) => void } {
  const { store, active, selected, openPlace } = props;
  const anchor = useRef(active);
  const choose = (place: number, { isRange, isToggle }: { readonly isRange: boolean; readonly isToggle: boolean }): void => {
    if (isRange) {
      const [first, last] = [Math.min(anchor.current, place), Math.max(anchor.current, place)];
      props.onSelected(addPlaces(isToggle ? selected : [], [first, last + 1]));
    } else {
      anchor.current = place;
      props.onSelected(isToggle ? togglePlace(selected, place) : []);
    }
    props.onActive(place);
  };
  const onClick = (event: MouseEvent): void => {
    const place = placeUnder(event);
    if (place !== undefined) {
      const isToggle = event.ctrlKey || event.metaKey;
      choose(place, { isRange: event.shiftKey, isToggle });
      if (!event.shiftKey && !isToggle) {
        props.onOpen(place, false);
      }
    }
  };
  /** The menu of VS Code follows: it is about the row under the pointer, or about those selected when that is one of them. */
  const onContextMenu = (event: MouseEvent): void => {
    const place = placeUnder(event);
    if (place !== undefined) {
      anchor.current = place;
      if (!hasPlace(selected, place)) {
        props.onSelected([]);
      }
      props.onActive(place);
    } else if (active >= store.count || isOnNoRow(event)) {
      event.preventDefault();
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = actOfKey(event);
    if (act === undefined) {
      return;
    }
    event.preventDefault();
    if (isRowMove(act)) {
      // A page leads over whole rows, and one stays in view.
      const place = rowAfter(act, active, shown, (shown.viewport % rowHeight) + rowHeight);
      if (place === undefined) {
        return;
      }
      if (event.shiftKey) {
        choose(place, { isRange: true, isToggle: false });
      } else {
        anchor.current = place;
        props.onActive(place);
      }
      if (openPlace !== undefined) {
        props.onOpen(place, false);
      }
    } else if (act === 'open') {
      props.onOpen(active, true);
    } else if (act === 'toggle') {
      choose(active, { isRange: event.shiftKey, isToggle: true });
    } else if (act === 'all') {
      props.onSelected(store.count > 0 ? [[0, store.count]] : []);
    } else {
      props.onAct(act);
    }
  };
  return { onClick, onContextMenu, onKeyDown };
}

function placeUnder({ target }: MouseEvent): number | undefined {
  const row = target instanceof Element ? target.closest('.extent > .row') : null;
  return row === null ? undefined : Number(row.getAttribute('aria-rowindex')) - 2;
}

/** Below the last row; the key for menus is about the row with the keyboard. */
function isOnNoRow({ button, target }: MouseEvent): boolean {
  return button === 2 && target instanceof Element && target.closest('.headRow') === null;
}

/** Returns the number of characters of the longest id that was shown since the rows were arranged. */
function useIdWidth(store: ResultsStore, from: number, to: number): number {
  const longest = useRef({ id: 0, revision: -1 });
  if (longest.current.revision !== store.revision) {
    longest.current = { id: 0, revision: store.revision };
  }
  for (let place = from; place < to; place++) {
    longest.current.id = Math.max(longest.current.id, store.rowAt(place)?.id.length ?? 0);
  }
  return longest.current.id;
}
