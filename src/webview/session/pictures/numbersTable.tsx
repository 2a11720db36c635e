import type { ComponentChildren, VNode } from 'preact';

interface NumbersTableProps {
  readonly caption: string;
  /** CSS class of the caption. By default, only screen readers get it, because others see a heading above. */
  readonly captionClass?: string;
  readonly columns: readonly string[];
  /** The cells of each row. The first one is its header. */
  readonly rows: readonly { readonly key: string | number; readonly cells: readonly ComponentChildren[] }[];
}

/** The numbers of a chart as a table. */
export function NumbersTable({ caption, captionClass = 'only-read-aloud', columns, rows }: NumbersTableProps): VNode {
  return (
    <table class="pictures-table">
      <caption class={captionClass}>{caption}</caption>
      <thead>
        <tr>
          {columns.map(name => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [head, ...cells] }) => (
          <tr key={key}>
            <th scope="row">{head}</th>
            {cells.map((cell, index) => (
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A region with its own horizontal scroll bar. */
export function Scroller({ label, children }: { readonly label: string; readonly children: ComponentChildren }): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section class="pictures-scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
