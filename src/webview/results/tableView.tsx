import type { VNode } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { toNumber } from '../../shared/formats';
import { toStatusWord } from '../../shared/results/resultStatus';
import type { ResultRow, TableColumn } from '../../shared/results/resultsProtocol';
import { Panel, type PanelContext } from '../controls/panelContext';
import { Cell, positionUnder, type TableAct, TableRow, VirtualGrid } from '../list/virtualGrid';
import { HeadRow, rowMenus, toColumnStyle } from './headRow';
import { addPositions, hasPosition, togglePosition } from './positionRanges';
import { useResults } from './useShownResults';

/** The table of results. Rows can be selected and opened. */
export function Table({ onSearch }: { readonly onSearch: () => void }): VNode {
  const { store, snapshot, shown, subject, actOnRows } = useResults();
  const { active, selected } = shown;
  const { columns = [] } = snapshot;
  const openPosition = store.pair?.place;
  const { t } = useContext(Panel);
  const anchor = useRef(active);
  const choose = (position: number, { isRange, isToggle }: { readonly isRange: boolean; readonly isToggle: boolean }): void => {
    if (isRange) {
      const [first, last] = [Math.min(anchor.current, position), Math.max(anchor.current, position)];
      shown.select(addPositions(isToggle ? selected : [], [first, last + 1]));
    } else {
      anchor.current = position;
      shown.select(isToggle ? togglePosition(selected, position) : []);
    }
    shown.activate(position);
  };
  /** Prepares the menu of the row under the pointer, or of the selected rows if they include that row. */
  const onContextMenu = (event: MouseEvent): void => {
    const position = positionUnder(event);
    if (position !== undefined) {
      anchor.current = position;
      if (!hasPosition(selected, position)) {
        shown.select([]);
      }
      shown.activate(position);
    } else if (active >= store.count || isOnNoRow(event)) {
      event.preventDefault();
    }
  };
  const onAct = (act: TableAct, event: KeyboardEvent): boolean => {
    if (act === 'open') {
      shown.open(active, true);
    } else if (act === 'toggle') {
      choose(active, { isRange: event.shiftKey, isToggle: true });
    } else if (act === 'all') {
      shown.select(store.count > 0 ? [[0, store.count]] : []);
    } else if (act === 'copy') {
      actOnRows('copyRows');
    } else if (act === 'search') {
      onSearch();
    } else if (act === 'leave' && selected.length > 0) {
      shown.select([]);
    } else if (act === 'leave' && openPosition !== undefined) {
      shown.close();
    }
    return true;
  };
  const drawRow = (position: number, top: number): VNode => {
    const row = store.pages.at(position);
    return (
      <Row
        key={position}
        {...{ columns, position, row, top }}
        isActive={position === active}
        isSelected={hasPosition(selected, position)}
        isOpen={position === openPosition}
      />
    );
  };
  return (
    <VirtualGrid
      {...{ store, active, drawRow, onAct }}
      focusToken={shown.tableFocus}
      columns={columns.length}
      label={subject === 'requests' ? t('Requests') : t('Results')}
      attributes={{
        ...{ 'aria-multiselectable': true, 'aria-busy': store.isArranging, 'aria-keyshortcuts': 'Enter Space Control+A Control+C' },
        ...{ 'data-vscode-context': rowMenus[subject], onContextMenu },
        style: toColumnStyle(columns),
      }}
      head={<HeadRow />}
      onClick={(position, event) => {
        if (position !== undefined) {
          const isToggle = event.ctrlKey || event.metaKey;
          choose(position, { isRange: event.shiftKey, isToggle });
          if (!event.shiftKey && !isToggle) {
            shown.open(position, false);
          }
        }
      }}
      onMove={(position, event) => {
        if (event.shiftKey) {
          choose(position, { isRange: true, isToggle: false });
        } else {
          anchor.current = position;
          shown.activate(position);
        }
        if (openPosition !== undefined) {
          shown.open(position, false);
        }
      }}
    />
  );
}

/** Returns whether the pointer is below the last row. False for the menu key, which opens the menu of the active row. */
function isOnNoRow({ button, target }: MouseEvent): boolean {
  return button === 2 && target instanceof Element && target.closest('.headRow') === null;
}

interface RowProps {
  readonly columns: readonly TableColumn[];
  readonly position: number;
  readonly row: ResultRow | undefined;
  readonly top: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
}

/** One result, or a placeholder until it is loaded. */
export function Row({ columns, position, row, top, isActive, isSelected, isOpen }: RowProps): VNode {
  const context = useContext(Panel);
  return (
    <TableRow {...{ position, top, isActive, isOpen, isSelected }} isComing={row === undefined} className={row && `mark-${row.mark}`}>
      {row &&
        columns.map(({ name }) => {
          const [words, className] = toCell(name, row, context);
          return (
            <Cell key={name} className={className} title={words}>
              {words}
            </Cell>
          );
        })}
    </TableRow>
  );
}

function toCell(name: TableColumn['name'], row: ResultRow, { t, locale }: PanelContext): readonly [words: string, className?: string] {
  const number = (value: number | undefined) => [value === undefined || value === 0 ? '' : toNumber(value, locale), 'number'] as const;
  const value = row.values?.[name] ?? '…';
  switch (name) {
    case 'line':
      return number(row.line);
    case 'input_tokens':
      return number(row.inputTokens);
    case 'output_tokens':
      return number(row.outputTokens);
    case 'id':
      return [row.id, 'id'];
    case 'status':
      return [toStatusWord(row.mark, t), 'mark'];
    case 'stop_reason':
      return [row.reason];
    case 'words':
      return [row.words, 'words'];
    case 'problem':
      return value === '' ? [toStatusWord(row.mark, t), 'mark faint'] : [value, 'mark'];
    case 'test':
      return [value === 'passed' ? t('passed') : value === 'failed' ? t('failed') : '…', `test-${value}`];
    default:
      return [value];
  }
}
