import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { toMarkWord } from '../../shared/results/markWords';
import type { ResultRow, TableColumn } from '../../shared/results/resultsProtocol';
import { toCount } from '../controls/numbers';
import { Panel, type PanelContext } from '../controls/panelContext';
import { Cell, TableRow } from '../list/tableRow';

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
