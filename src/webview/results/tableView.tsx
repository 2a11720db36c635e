import type { ComponentChildren, VNode } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toMarkWord } from '../../shared/results/markWords';
import type { ResultColumn, ResultOrder, ResultRow } from '../../shared/results/resultsProtocol';
import { toCount } from '../session/controls/numbers';
import { Panel } from '../session/panelContext';
import { addPlaces, hasPlace, type PlaceRanges, togglePlace } from './placeRanges';
import type { ResultsStore } from './resultsStore';
import './table.css';
import { actOfKey, placeAfter, type TableAct } from './tableKeys';
import { rowHeight, VirtualRows } from './virtualRows';

/** Pixels of the row with the names of the columns. */
const headHeight = 26;

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

/** Rows and heads are no elements of a table: those could not lie where the rows that are seen are. */
const headRow = { role: 'row', 'aria-rowindex': 1 } as const;
const columnHead = { role: 'columnheader' } as const;
const gridCell = { role: 'gridcell' } as const;

/** The rows that can be seen of any number: the host is asked for those, and the page holds no others. */
export function Table(props: TableProps): VNode {
  const { store, order, active, selected, openPlace, focusToken, onOrder } = props;
  const { t, locale } = useContext(Panel);
  const grid = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [viewport, setViewport] = useState(0);
  const anchor = useRef(active);
  const ownScroll = useRef<number>(undefined);
  const widths = useRef({ id: 12, line: 4, revision: -1 });
  const rows = new VirtualRows(store.count, viewport);
  const shownTop = rows.clamp(top);
  const { from, to } = rows.rangeAt(shownTop);

  const scrollTo = (next: number): void => {
    setTop(next);
    if (grid.current !== null) {
      grid.current.scrollTop = rows.scrollTopAt(next);
      ownScroll.current = grid.current.scrollTop;
    }
  };
  useLayoutEffect(() => {
    const element = grid.current;
    if (element === null) {
      return undefined;
    }
    const measure = (): void => setViewport(Math.max(0, element.clientHeight - headHeight));
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    measure();
    return () => sizes.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (viewport > 0) {
      scrollTo(rows.topToShow(active, shownTop));
    }
  }, [active, viewport, store.revision]);
  useLayoutEffect(() => store.want(from, to));
  useLayoutEffect(() => {
    if (focusToken > 0) {
      grid.current?.focus({ preventScroll: true });
    }
  }, [focusToken]);
  useWheel(grid, rows, shownTop, scrollTo);

  const onScroll = (): void => {
    const { current } = grid;
    if (current !== null && current.scrollTop !== ownScroll.current) {
      ownScroll.current = undefined;
      setTop(rows.topAt(current.scrollTop));
    }
  };
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
    const row = event.target instanceof Element ? event.target.closest('.extent > .row') : null;
    if (row !== null) {
      const place = Number(row.getAttribute('aria-rowindex')) - 2;
      const isToggle = event.ctrlKey || event.metaKey;
      choose(place, { isRange: event.shiftKey, isToggle });
      if (!event.shiftKey && !isToggle) {
        props.onOpen(place, false);
      }
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = actOfKey(event);
    if (act === undefined) {
      return;
    }
    event.preventDefault();
    const place = placeAfter(act, active, rows.page, store.count);
    if (place !== undefined) {
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
  const places = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  // Assistive technology is told of the active row wherever it is.
  if (active < store.count && (active < from || active >= to)) {
    places.push(active);
  }
  const { current: width } = widths;
  if (width.revision !== store.revision) {
    Object.assign(width, { id: 12, line: 4, revision: store.revision });
  }
  for (const place of places) {
    const row = store.rowAt(place);
    width.id = Math.min(36, Math.max(width.id, row?.id.length ?? 0));
    width.line = Math.max(width.line, row?.line === undefined ? 0 : toCount(row.line, locale).length);
  }
  const column = (name: ResultColumn, title: string, isNumber: boolean): VNode => {
    const isSorted = (order?.by ?? 'line') === name;
    const isDescending = isSorted && order?.isDescending === true;
    const next = (): ResultOrder | undefined => {
      const isNextDescending = isSorted ? !isDescending : name === 'input_tokens' || name === 'output_tokens';
      return name === 'line' && !isNextDescending ? undefined : { by: name, isDescending: isNextDescending };
    };
    return (
      <div
        {...columnHead}
        {...(isSorted && { 'aria-sort': isDescending ? 'descending' : 'ascending' })}
        class={isNumber ? 'cell number' : 'cell'}
      >
        <button type="button" class="sortButton" onClick={() => onOrder(next())}>
          {title}
        </button>
      </div>
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a table could not lie where those that are seen are
    <div
      ref={grid}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-colcount={7}
      aria-multiselectable
      aria-label={t('Results')}
      aria-rowcount={store.count + 1}
      aria-busy={store.isArranging}
      aria-activedescendant={active < store.count ? `row-${active}` : undefined}
      aria-keyshortcuts="Enter Space Control+A Control+C"
      style={{ '--id-width': `${width.id + 2}ch`, '--line-width': `${width.line + 2}ch` }}
      onScroll={onScroll}
      onClick={onClick}
      onKeyDown={event => {
        if (event.target === grid.current) {
          onKeyDown(event);
        }
      }}
    >
      <div {...headRow} class="row headRow">
        {column('line', t('Line'), true)}
        {column('id', t('Id'), false)}
        {column('state', t('State'), false)}
        {column('stop_reason', t('Reason'), false)}
        {column('input_tokens', t('Input'), true)}
        {column('output_tokens', t('Output'), true)}
        <div {...columnHead} class="cell">
          {t('First words')}
        </div>
      </div>
      <div class="extent" role="presentation" style={{ height: `${rows.extent}px` }}>
        {places.map(place => (
          <Row
            key={place}
            place={place}
            row={store.rowAt(place)}
            top={rows.offsetOf(place, shownTop)}
            isActive={place === active}
            isSelected={hasPlace(selected, place)}
            isOpen={place === openPlace}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly place: number;
  readonly row: ResultRow | undefined;
  readonly top: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
}

function Row({ place, row, top, isActive, isSelected, isOpen }: RowProps): VNode {
  const { t, locale } = useContext(Panel);
  const state = `${isActive ? ' isActive' : ''}${isSelected ? ' isSelected' : ''}${isOpen ? ' isOpen' : ''}`;
  const shared = {
    id: `row-${place}`,
    role: 'row' as const,
    'aria-rowindex': place + 2,
    'aria-selected': isSelected,
    style: { top: `${top}px` },
  };
  if (row === undefined) {
    return (
      <div {...shared} class={`row isComing${state}`} aria-busy>
        <Cell>…</Cell>
      </div>
    );
  }
  return (
    <div {...shared} class={`row mark-${row.mark}${state}`}>
      <Cell look="number">{row.line === undefined ? '' : toCount(row.line, locale)}</Cell>
      <Cell look="id" title={row.id}>
        {row.id}
      </Cell>
      <Cell look="mark">{toMarkWord(row.mark, t)}</Cell>
      <Cell title={row.reason}>{row.reason}</Cell>
      <Cell look="number">{row.inputTokens === 0 ? '' : toCount(row.inputTokens, locale)}</Cell>
      <Cell look="number">{row.outputTokens === 0 ? '' : toCount(row.outputTokens, locale)}</Cell>
      <Cell look="words">{row.words}</Cell>
    </div>
  );
}

function Cell({ look, title, children }: { look?: string; title?: string; children: ComponentChildren }): VNode {
  return (
    <div {...gridCell} class={look === undefined ? 'cell' : `cell ${look}`} title={title}>
      {children}
    </div>
  );
}

/** In a list taller than a page a turn of the wheel goes over as many rows as in any other. */
function useWheel(
  grid: { readonly current: HTMLDivElement | null },
  rows: VirtualRows,
  top: number,
  scrollTo: (top: number) => void,
): void {
  const latest = useRef({ rows, top, scrollTo });
  latest.current = { rows, top, scrollTo };
  useLayoutEffect(() => {
    const element = grid.current;
    const onWheel = (event: WheelEvent): void => {
      const now = latest.current;
      if (now.rows.isSqueezed && event.deltaY !== 0 && !event.ctrlKey && !event.shiftKey) {
        event.preventDefault();
        const unit =
          event.deltaMode === WheelEvent.DOM_DELTA_LINE ? rowHeight : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? now.rows.viewport : 1;
        const next = now.rows.clamp(now.top + event.deltaY * unit);
        latest.current = { ...now, top: next };
        now.scrollTo(next);
      }
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, []);
}
