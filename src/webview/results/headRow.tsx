import type { VNode } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { maxWidth, minWidth, type TableColumn } from '../../shared/results/resultsProtocol';
import { Panel } from '../controls/panelContext';
import { columnHead, headRow } from '../list/virtualGrid';
import { useResults } from './useShownResults';
import '../list/table.css';

/** Width change per key press, in pixels. */
const step = 16;
/** Distance from which a pointer press moves a column instead of clicking, in pixels. */
const dragFrom = 6;

/**
 * The column headers. A click sorts by a column. Columns are moved by dragging their headers or with Ctrl+Shift and an arrow key. Columns
 * are resized by dragging their right edges or with Shift and an arrow key.
 */
export function HeadRow(): VNode {
  const { store, snapshot } = useResults();
  const { columns = [] } = snapshot;
  const row = useRef<HTMLDivElement>(null);
  const move = (from: number, to: number): void => {
    const moved = columns[from];
    if (moved !== undefined && to >= 0 && to < columns.length && to !== from) {
      const rest = columns.filter((_, at) => at !== from);
      store.arrangeColumns([...rest.slice(0, to), moved, ...rest.slice(to)], true);
    }
  };
  const resize = (at: number, width: number | undefined, isLasting: boolean): void => {
    const next = width === undefined ? undefined : Math.round(Math.max(minWidth, Math.min(maxWidth, width)));
    const resized = columns.map((column, index) =>
      index === at ? { name: column.name, title: column.title, ...(next !== undefined && { width: next }) } : column,
    );
    store.arrangeColumns(resized, isLasting);
  };
  const indexAt = (x: number): number => {
    const heads = [...(row.current?.children ?? [])];
    const found = heads.findIndex(head => x < head.getBoundingClientRect().right);
    return found < 0 ? heads.length - 1 : found;
  };
  return (
    <div {...headRow} ref={row} class="row headRow" data-vscode-context={noMenu}>
      {columns.map((column, at) => (
        <ColumnHead
          key={column.name}
          column={column}
          onMove={by => move(at, at + by)}
          onDrop={x => move(at, indexAt(x))}
          onResize={(width, isLasting) => resize(at, width, isLasting)}
        />
      ))}
    </div>
  );
}

interface ColumnHeadProps {
  readonly column: TableColumn;
  readonly onMove: (by: number) => void;
  readonly onDrop: (x: number) => void;
  readonly onResize: (width: number | undefined, isLasting: boolean) => void;
}

function ColumnHead({ column: { name, title }, onMove, onDrop, onResize }: ColumnHeadProps): VNode {
  const { order, sort: onOrder } = useResults().shown;
  const head = useRef<HTMLDivElement>(null);
  const pressed = useRef<number>(undefined);
  const isDragged = useRef(false);
  const isSorted = (order?.by ?? 'line') === name;
  const isDescending = isSorted && order?.isDescending === true;
  const sort = (): void => {
    if (isDragged.current) {
      isDragged.current = false;
    } else if (name !== 'words') {
      const isNextDescending = isSorted ? !isDescending : name === 'input_tokens' || name === 'output_tokens';
      onOrder(name === 'line' && !isNextDescending ? undefined : { by: name, isDescending: isNextDescending });
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by !== 0 && event.shiftKey && !event.altKey) {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) {
        onMove(by);
      } else {
        onResize((head.current?.offsetWidth ?? 0) + by * step, true);
      }
    }
  };
  return (
    <div
      {...columnHead}
      {...(isSorted && { 'aria-sort': isDescending ? 'descending' : 'ascending' })}
      ref={head}
      class={isNumberColumn(name) ? 'cell number' : 'cell'}
    >
      <button
        type="button"
        class="sortButton"
        aria-disabled={name === 'words' ? true : undefined}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight Control+Shift+ArrowLeft Control+Shift+ArrowRight"
        onClick={sort}
        onKeyDown={onKeyDown}
        onPointerDown={event => {
          pressed.current = event.clientX;
          isDragged.current = false;
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={event => {
          isDragged.current ||= pressed.current !== undefined && Math.abs(event.clientX - pressed.current) > dragFrom;
          head.current?.classList.toggle('isDragged', isDragged.current && pressed.current !== undefined);
        }}
        onPointerUp={event => {
          pressed.current = undefined;
          head.current?.classList.remove('isDragged');
          if (isDragged.current) {
            onDrop(event.clientX);
          }
        }}
      >
        <span class="sortTitle cutEnd">{title}</span>
      </button>
      <Edge head={head} onResize={onResize} />
    </div>
  );
}

/** The right edge of a header, which resizes its column. A double click restores the default width. */
function Edge({ head, onResize }: Pick<ColumnHeadProps, 'onResize'> & { head: { readonly current: HTMLElement | null } }): VNode {
  const { t } = useContext(Panel);
  const pressed = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const drag = ({ clientX }: PointerEvent, isLasting: boolean): void => {
    const { current } = pressed;
    if (current !== undefined && clientX !== current.x) {
      onResize(current.width + clientX - current.x, isLasting);
    }
  };
  return (
    // Keyboard users resize with the keys of the header.
    <span
      class="edge"
      aria-hidden="true"
      title={t('Drag to change the width')}
      onPointerDown={event => {
        pressed.current = { x: event.clientX, width: head.current?.offsetWidth ?? 0 };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={event => drag(event, false)}
      onPointerUp={event => {
        drag(event, true);
        pressed.current = undefined;
      }}
      onDblClick={() => onResize(undefined, true)}
    />
  );
}

/** Contexts of row menus, which select the entries of `webview/context` in package.json. */
export const rowMenus = { results: toContext('resultRow'), requests: toContext('requestRow') } as const;

/** Context for elements without a menu. Also hides VS Code's default entries. */
const noMenu = toContext('');

function toContext(webviewSection: string): string {
  return JSON.stringify({ webviewSection, preventDefaultContextMenuItems: true });
}

type Name = TableColumn['name'];

/** Default widths of columns. The answer takes the remaining width. */
const usual: Partial<Record<Name, string>> = {
  id: 'clamp(13ch, 20%, 30ch)',
  status: '13ch',
  line: '10ch',
  stop_reason: '20ch',
  input_tokens: '13ch',
  output_tokens: '14ch',
  model: '20ch',
  test: '11ch',
  problem: '16ch',
  words: '200px',
};

/** Returns whether a column shows numbers, which are right-aligned. */
function isNumberColumn(name: Name): boolean {
  return name === 'line' || name === 'input_tokens' || name === 'output_tokens';
}

/** Returns the grid tracks of a row and their minimum width, as CSS variables. */
export function toColumnStyle(columns: readonly TableColumn[]): Readonly<Record<string, string>> {
  const widths = columns.map(({ name, width }) => (width === undefined ? (usual[name] ?? '16ch') : `${width}px`));
  const tracks = widths.map((width, at) =>
    columns[at]?.name === 'words' && columns[at].width === undefined ? `minmax(${width}, 1fr)` : width,
  );
  return { '--columns': tracks.join(' '), '--least': `calc(${[...widths, '24px'].join(' + ')})` };
}
