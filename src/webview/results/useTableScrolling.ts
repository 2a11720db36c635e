import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ResultsStore } from './resultsStore';
import './table.css';
import { rowHeight, VirtualRows } from './virtualRows';

/** Pixels of the row with the names of the columns. */
const headHeight = 26;

/** Where the rows are scrolled to: the active one is brought into view when it changes. */
export function useTableScrolling(
  grid: { readonly current: HTMLDivElement | null },
  store: ResultsStore,
  active: number,
): { readonly rows: VirtualRows; readonly top: number; readonly onScroll: () => void } {
  const [wanted, setTop] = useState(0);
  const [viewport, setViewport] = useState(0);
  const ownScroll = useRef<number>(undefined);
  const rows = new VirtualRows(store.count, viewport);
  const top = rows.clamp(wanted);
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
      scrollTo(rows.topToShow(active, top));
    }
  }, [active, viewport, store.revision]);
  useWheel(grid, rows, top, scrollTo);
  const onScroll = (): void => {
    const { current } = grid;
    if (current !== null && current.scrollTop !== ownScroll.current) {
      ownScroll.current = undefined;
      setTop(rows.topAt(current.scrollTop));
    }
  };
  return { rows, top, onScroll };
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
