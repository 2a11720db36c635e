import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { toMarkWord } from '../../shared/results/markWords';
import type { ResultRow, TableColumn } from '../../shared/results/resultsProtocol';
import { toCount } from '../session/controls/numbers';
import { Panel, type PanelContext } from '../session/panelContext';
import './table.css';

/** Rows are no elements of a table: those could not lie where the rows that are seen are. */
const gridCell = { role: 'gridcell' } as const;

interface RowProps {
  readonly columns: readonly TableColumn[];
  readonly place: number;
  readonly row: ResultRow | undefined;
  readonly top: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
}

/** One result, or the room of one that is on its way. */
export function Row({ columns, place, row, top, isActive, isSelected, isOpen }: RowProps): VNode {
  const context = useContext(Panel);
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
      {columns.map(({ name }) => (
        <ColumnCell key={name} name={name} row={row} context={context} />
      ))}
    </div>
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
    case 'state':
      return <Cell look="mark">{toMarkWord(row.mark, t)}</Cell>;
    case 'stop_reason':
      return <Cell title={row.reason}>{row.reason}</Cell>;
    case 'words':
      return <Cell look="words">{row.words}</Cell>;
    case 'test': {
      const value = row.values?.test;
      const word = value === 'passed' ? t('passed') : value === 'failed' ? t('failed') : '…';
      return <Cell look={`test test-${value ?? ''}`}>{word}</Cell>;
    }
    default:
      return <Cell title={row.values?.[name] ?? ''}>{row.values?.[name] ?? '…'}</Cell>;
  }
}

function Cell({ look, title, children }: { look?: string; title?: string; children: ComponentChildren }): VNode {
  return (
    <div {...gridCell} class={look === undefined ? 'cell' : `cell ${look}`} title={title}>
      {children}
    </div>
  );
}
