import type { ComponentChildren, VNode } from 'preact';

interface NumbersTableProps {
  readonly label: string;
  /** Caption for screen readers only. Others see the heading above. */
  readonly caption: string;
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}

/** The numbers of a chart, in a table with its own scroll bar. */
export function NumbersTable({ label, caption, columns, children }: NumbersTableProps): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="pictures-scroll" tabIndex={0} aria-label={label}>
      <table class="pictures-table">
        <caption class="only-read-aloud">{caption}</caption>
        <thead>
          <tr>
            {columns.map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
