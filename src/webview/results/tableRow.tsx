import type { ComponentChildren, VNode } from 'preact';
import './table.css';

/** Rows are no elements of a table: those could not lie where the rows that are seen are. */
const gridCell = { role: 'gridcell' } as const;

interface TableRowProps {
  readonly place: number;
  /** Pixels from where the rows begin. */
  readonly top: number;
  readonly isActive: boolean;
  /** Where several can be selected; else the active one is. */
  readonly isSelected?: boolean;
  readonly isOpen: boolean;
  /** On its way: there is nothing to show yet. */
  readonly isComing: boolean;
  /** Its kind, for its looks. */
  readonly look?: string | undefined;
  readonly children?: ComponentChildren;
}

/** A row of a table of which only those are drawn that are seen, or the room of one that is on its way. */
export function TableRow({ place, top, isActive, isSelected, isOpen, isComing, look, children }: TableRowProps): VNode {
  const kind = isComing ? ' isComing' : look === undefined ? '' : ` ${look}`;
  const state = `${isActive ? ' isActive' : ''}${isSelected === true ? ' isSelected' : ''}${isOpen ? ' isOpen' : ''}`;
  const shared = {
    id: `row-${place}`,
    role: 'row' as const,
    'aria-rowindex': place + 2,
    'aria-selected': isSelected ?? isActive,
    style: { top: `${top}px` },
  };
  return (
    <div {...shared} class={`row${kind}${state}`} aria-busy={isComing ? true : undefined}>
      {isComing ? <Cell>…</Cell> : children}
    </div>
  );
}

export function Cell({ look, title, children }: { look?: string; title?: string; children: ComponentChildren }): VNode {
  return (
    <div {...gridCell} class={look === undefined ? 'cell' : `cell ${look}`} title={title}>
      {children}
    </div>
  );
}
