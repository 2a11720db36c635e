import type { ComponentChildren, VNode } from 'preact';
import './table.css';

/** ARIA roles instead of table elements, because the rows are positioned absolutely. */
const gridCell = { role: 'gridcell' } as const;

interface TableRowProps {
  readonly position: number;
  /** Distance from the first row, in pixels. */
  readonly top: number;
  readonly isActive: boolean;
  /** True if the row is selected, in tables with multiple selection. By default the active row is selected. */
  readonly isSelected?: boolean;
  readonly isOpen: boolean;
  readonly isComing: boolean;
  readonly className?: string | undefined;
  readonly children?: ComponentChildren;
}

/** A row of a table that renders only the rows in view, or a placeholder until the row is loaded. */
export function TableRow({ position, top, isActive, isSelected, isOpen, isComing, className, children }: TableRowProps): VNode {
  const kind = isComing ? ' isComing' : className === undefined ? '' : ` ${className}`;
  const state = `${isActive ? ' isActive' : ''}${isSelected === true ? ' isSelected' : ''}${isOpen ? ' isOpen' : ''}`;
  const shared = {
    id: `row-${position}`,
    role: 'row' as const,
    'aria-rowindex': position + 2,
    'aria-selected': isSelected ?? isActive,
    style: { top: `${top}px` },
  };
  return (
    <div {...shared} class={`row hoverable${kind}${state}`} aria-busy={isComing ? true : undefined}>
      {isComing ? <Cell>…</Cell> : children}
    </div>
  );
}

interface CellProps {
  readonly className?: string | undefined;
  readonly title?: string;
  readonly children: ComponentChildren;
}

export function Cell({ className, title, children }: CellProps): VNode {
  return (
    <div {...gridCell} class={className === undefined ? 'cell' : `cell ${className}`} title={title}>
      {children}
    </div>
  );
}
