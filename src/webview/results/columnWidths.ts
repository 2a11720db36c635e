import type { TableColumn } from '../../shared/results/resultsProtocol';

type Name = TableColumn['name'];

/** Usual widths of columns. The answer takes the rest. */
const usual: Partial<Record<Name, string>> = {
  id: 'clamp(13ch, 20%, 30ch)',
  status: '13ch',
  line: '10ch',
  stop_reason: '20ch',
  input_tokens: '13ch',
  output_tokens: '14ch',
  model: '20ch',
  test: '11ch',
  problem: '16ch',
  words: '200px',
};

/** Returns whether a column shows numbers, which are aligned at the end. */
export function isNumberColumn(name: Name): boolean {
  return name === 'line' || name === 'input_tokens' || name === 'output_tokens';
}

/** Returns the grid tracks of a row and their minimum width, as CSS variables. */
export function toColumnStyle(columns: readonly TableColumn[]): Readonly<Record<string, string>> {
  const widths = columns.map(({ name, width }) => (width === undefined ? (usual[name] ?? '16ch') : `${width}px`));
  const tracks = widths.map((width, at) =>
    columns[at]?.name === 'words' && columns[at].width === undefined ? `minmax(${width}, 1fr)` : width,
  );
  return { '--columns': tracks.join(' '), '--least': `calc(${[...widths, '24px'].join(' + ')})` };
}
