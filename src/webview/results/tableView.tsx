import type { VNode } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import type { ResultOrder, ResultRow, TableColumn } from '../../shared/results/resultsProtocol';
import { Panel, type PanelContext } from '../controls/panelContext';
import { HeadRow, rowMenus, toColumnStyle } from './headRow';
import { addPositions, hasPosition, type PositionRanges, togglePosition } from './positionRanges';
import type { ResultsStore } from './resultsStore';
import { positionUnder, type TableAct, VirtualGrid } from '../list/virtualGrid';
import { toMarkWord } from '../../shared/results/resultStatus';
import { toCount } from '../controls/numbers';
import { Cell, TableRow } from '../list/tableRow';

interface TableProps {
  readonly store: ResultsStore;
  readonly order: ResultOrder | undefined;
  readonly active: number;
  readonly selected: PositionRanges;
  readonly openPlace: number | undefined;
  readonly focusToken: number;
  readonly onOrder: (order: ResultOrder | undefined) => void;
  readonly onActive: (place: number) => void;
  readonly onSelected: (ranges: PositionRanges) => void;
  readonly onOpen: (place: number, takesFocus: boolean) => void;
  readonly onAct: (act: TableAct) => void;
}

/** The table of results. Rows can be selected and opened. */
export function Table(props: TableProps): VNode {
  const { store, order, active, selected, openPlace, focusToken, onOrder } = props;
  const { columns = [], head } = store.snapshot ?? {};
  const subject = head?.subject ?? 'results';
  const { t } = useContext(Panel);
  const anchor = useRef(active);
  const choose = (place: number, { isRange, isToggle }: { readonly isRange: boolean; readonly isToggle: boolean }): void => {
    if (isRange) {
      const [first, last] = [Math.min(anchor.current, place), Math.max(anchor.current, place)];
      props.onSelected(addPositions(isToggle ? selected : [], [first, last + 1]));
    } else {
      anchor.current = place;
      props.onSelected(isToggle ? togglePosition(selected, place) : []);
    }
    props.onActive(place);
  };
  /** The menu is about the row under the pointer, or about the selected rows if that is one of them. */
  const onContextMenu = (event: MouseEvent): void => {
    const place = positionUnder(event);
    if (place !== undefined) {
      anchor.current = place;
      if (!hasPosition(selected, place)) {
        props.onSelected([]);
      }
      props.onActive(place);
    } else if (active >= store.count || isOnNoRow(event)) {
      event.preventDefault();
    }
  };
  const onAct = (act: TableAct, event: KeyboardEvent): boolean => {
    if (act === 'open') {
      props.onOpen(active, true);
    } else if (act === 'toggle') {
      choose(active, { isRange: event.shiftKey, isToggle: true });
    } else if (act === 'all') {
      props.onSelected(store.count > 0 ? [[0, store.count]] : []);
    } else {
      props.onAct(act);
    }
    return true;
  };
  const drawRow = (place: number, top: number): VNode => {
    const row = store.pages.at(place);
    return (
      <Row
        key={place}
        {...{ columns, place, row, top }}
        isActive={place === active}
        isSelected={hasPosition(selected, place)}
        isOpen={place === openPlace}
      />
    );
  };
  return (
    <VirtualGrid
      {...{ store, active, focusToken, drawRow, onAct }}
      columns={columns.length}
      label={subject === 'requests' ? t('Requests') : t('Results')}
      attributes={{
        ...{ 'aria-multiselectable': true, 'aria-busy': store.isArranging, 'aria-keyshortcuts': 'Enter Space Control+A Control+C' },
        ...{ 'data-vscode-context': rowMenus[subject], onContextMenu },
        style: toColumnStyle(columns),
      }}
      head={
        <HeadRow columns={columns} order={order} onOrder={onOrder} onColumns={(next, isLasting) => store.arrangeColumns(next, isLasting)} />
      }
      onClick={(place, event) => {
        if (place !== undefined) {
          const isToggle = event.ctrlKey || event.metaKey;
          choose(place, { isRange: event.shiftKey, isToggle });
          if (!event.shiftKey && !isToggle) {
            props.onOpen(place, false);
          }
        }
      }}
      onMove={(place, event) => {
        if (event.shiftKey) {
          choose(place, { isRange: true, isToggle: false });
        } else {
          anchor.current = place;
          props.onActive(place);
        }
        if (openPlace !== undefined) {
          props.onOpen(place, false);
        }
      }}
    />
  );
}

/** Returns whether the pointer is below the last row. The menu key is about the active row. */
function isOnNoRow({ button, target }: MouseEvent): boolean {
  return button === 2 && target instanceof Element && target.closest('.headRow') === null;
}

interface RowProps {
  readonly columns: readonly TableColumn[];
  readonly place: number;
  readonly row: ResultRow | undefined;
  readonly top: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
}

/** One result, or a placeholder until it is loaded. */
export function Row({ columns, place, row, top, isActive, isSelected, isOpen }: RowProps): VNode {
  const context = useContext(Panel);
  return (
    <TableRow {...{ place, top, isActive, isOpen, isSelected }} isComing={row === undefined} look={row && `mark-${row.mark}`}>
      {row === undefined ? null : columns.map(({ name }) => <ColumnCell key={name} name={name} row={row} context={context} />)}
    </TableRow>
  );
}

function ColumnCell({ name, row, context }: { name: TableColumn['name']; row: ResultRow; context: PanelContext }): VNode {
  const { t, locale } = context;
  const number = (value: number | undefined) => (value === undefined || value === 0 ? '' : toCount(value, locale));
  switch (name) {
    case 'line':
      return <Cell look="number">{number(row.line)}</Cell>;
    case 'input_tokens':
      return <Cell look="number">{number(row.inputTokens)}</Cell>;
    case 'output_tokens':
      return <Cell look="number">{number(row.outputTokens)}</Cell>;
    case 'id':
      return (
        <Cell look="id" title={row.id}>
          {row.id}
        </Cell>
      );
    case 'status':
      return <Cell look="mark">{toMarkWord(row.mark, t)}</Cell>;
    case 'stop_reason':
      return (
        <Cell look="reason" title={row.reason}>
          {row.reason}
        </Cell>
      );
    case 'words':
      return (
        <Cell look="words" title={row.words}>
          {row.words}
        </Cell>
      );
    case 'problem': {
      const rules = row.values?.problem ?? '…';
      return (
        <Cell look="mark" title={rules}>
          {rules === '' ? <span class="faint">{toMarkWord(row.mark, t)}</span> : rules}
        </Cell>
      );
    }
    case 'test': {
      const value = row.values?.test;
      const word = value === 'passed' ? t('passed') : value === 'failed' ? t('failed') : '…';
      return <Cell look={`test test-${value ?? ''}`}>{word}</Cell>;
    }
    default:
      return <Cell title={row.values?.[name] ?? ''}>{row.values?.[name] ?? '…'}</Cell>;
  }
}
