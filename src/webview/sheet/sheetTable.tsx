import type { VNode } from 'preact';
import type { SheetBlock } from '../../shared/sheet/sheetProtocol';
import { Button } from '../controls/button';

interface TableProps {
  readonly table: Extract<SheetBlock, { readonly kind: 'table' }>;
  readonly isWhole: boolean;
  readonly onWhole: (isWhole: boolean) => void;
}

/** Table of numbers with row headers. A long table first shows some rows, and the rest on demand. */
export function Table({ table, isWhole, onWhole }: TableProps): VNode {
  const { name, head, rows, total, shown, more, fewer } = table;
  const row = (cells: readonly string[]): readonly VNode[] =>
    cells.map((cell, column) =>
      column === 0 ? (
        <th key={column} scope="row">
          {cell}
        </th>
      ) : (
        <td key={column} data-head={head[column]}>
          {cell}
        </td>
      ),
    );
  return (
    <>
      <table class="table" aria-label={name}>
        <TableHead titles={head} />
        <tbody>
          {rows.slice(0, isWhole ? rows.length : shown).map((cells, index) => (
            <tr key={index}>{row(cells)}</tr>
          ))}
        </tbody>
        {total === undefined ? null : (
          <tfoot>
            <tr>{row(total)}</tr>
          </tfoot>
        )}
      </table>
      {rows.length > shown ? (
        <Button look="link" isExpanded={isWhole} onClick={() => onWhole(!isWhole)}>
          {isWhole ? fewer : more}
        </Button>
      ) : null}
    </>
  );
}

/** Header row of a table. */
export function TableHead({ titles }: { readonly titles: readonly string[] }): VNode {
  return (
    <thead>
      <tr>
        {titles.map(title => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
