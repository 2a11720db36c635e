import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { EvenHeights, ListWindow } from './listWindow';
import './table.css';

/** Height of every row, in pixels. */
export const rowHeight = 24;

/** Height of the header row, in pixels. */
const headHeight = 26;

/** Tracks the scroll position of a table. Scrolls the active row into view when it changes, or when a new `revision` brings new rows. */
export function useTableScrolling(
  grid: { readonly current: HTMLDivElement | null },
  store: { readonly count: number; readonly revision: number },
  active: number,
): { readonly shown: ListWindow; readonly top: number; readonly onScroll: () => void } {
  const [wanted, setTop] = useState(0);
  const [viewport, setViewport] = useState(0);
  const ownScroll = useRef<number>(undefined);
  const shown = new ListWindow(new EvenHeights(store.count, rowHeight), viewport);
  const top = shown.clamp(wanted);
  const scrollTo = (next: number): void => {
    setTop(next);
    if (grid.current !== null) {
      grid.current.scrollTop = shown.scrollTopAt(next);
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
      scrollTo(shown.topToShow(active, top));
    }
  }, [active, viewport, store.revision]);
  useWheel(grid, shown, top, scrollTo);
  const onScroll = (): void => {
    const { current } = grid;
    if (current !== null && current.scrollTop !== ownScroll.current) {
      ownScroll.current = undefined;
      setTop(shown.topAt(current.scrollTop));
    }
  };
  return { shown, top, onScroll };
}

/** Makes the wheel scroll the same number of rows in a list taller than the maximum element height as in any other. */
function useWheel(
  grid: { readonly current: HTMLDivElement | null },
  shown: ListWindow,
  top: number,
  scrollTo: (top: number) => void,
): void {
  const latest = useRef({ shown, top, scrollTo });
  latest.current = { shown, top, scrollTo };
  useLayoutEffect(() => {
    const element = grid.current;
    const onWheel = (event: WheelEvent): void => {
      const now = latest.current;
      const next = now.shown.topAfterWheel(event, now.top, rowHeight);
      if (next !== undefined) {
        event.preventDefault();
        latest.current = { ...now, top: next };
        now.scrollTo(next);
      }
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, []);
}
