import type { ComponentChildren, VNode } from 'preact';

interface NumbersTableProps {
  readonly label: string;
  /** Read aloud only: what is to be seen stands above it. */
  readonly caption: string;
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}

/** What a picture shows, in numbers: a table that scrolls by itself. */
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
