import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { toMarkWord } from '../../shared/results/markWords';
import type { ResultColumn, ResultOrder, ResultRow } from '../../shared/results/resultsProtocol';
import { toCount } from '../session/controls/numbers';
import { Panel } from '../session/panelContext';
import { noMenu } from './rowMenu';
import './table.css';

/** Rows and heads are no elements of a table: those could not lie where the rows that are seen are. */
const headRow = { role: 'row', 'aria-rowindex': 1 } as const;
const columnHead = { role: 'columnheader' } as const;
const gridCell = { role: 'gridcell' } as const;

interface HeadRowProps {
  readonly order: ResultOrder | undefined;
  readonly onOrder: (order: ResultOrder | undefined) => void;
}

/** The names of the columns; each sorts by its own. */
export function HeadRow({ order, onOrder }: HeadRowProps): VNode {
  const { t } = useContext(Panel);
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
          <span class="sortTitle">{title}</span>
        </button>
      </div>
    );
  };
  return (
    <div {...headRow} class="row headRow" data-vscode-context={noMenu}>
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

/** One result, or the room of one that is on its way. */
export function Row({ place, row, top, isActive, isSelected, isOpen }: RowProps): VNode {
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
