import type { TableColumn } from '../../shared/results/resultsProtocol';

type Name = TableColumn['name'];

/** What a column is wide that nobody gave a width: where there is room, and where there is little. The words take what is left. */
const usual: Partial<Record<Name, readonly [wide: string, narrow: string]>> = {
  line: ['max(8ch, var(--line-width))', 'max(7ch, var(--line-width))'],
  id: ['max(10ch, var(--id-width))', 'min(13ch, max(10ch, var(--id-width)))'],
  state: ['15ch', '12ch'],
  stop_reason: ['21ch', '10ch'],
  input_tokens: ['11ch', '8ch'],
  output_tokens: ['12ch', '9ch'],
  model: ['24ch', '13ch'],
  test: ['12ch', '12ch'],
  problem: ['19ch', '16ch'],
  words: ['160px', '120px'],
};
const other = ['18ch', '12ch'] as const;

const isNumber: ReadonlySet<Name> = new Set<Name>(['line', 'input_tokens', 'output_tokens']);

/** Whether numbers stand in a column, which end at one edge. */
export function isNumberColumn(name: Name): boolean {
  return isNumber.has(name);
}

/** Returns whether a table has optional columns. Its columns are then narrow in a small window, so that the answers stay on screen. */
export function isCrowded(columns: readonly TableColumn[]): boolean {
  return columns.some(({ name }) => name === 'model' || name === 'test' || !(name in usual));
}

/** The tracks of the rows' grid, and how wide all of them are at least, as variables of the style sheet. */
export function toColumnStyle(columns: readonly TableColumn[]): Readonly<Record<string, string>> {
  const of = (place: 0 | 1): readonly [tracks: string, least: string] => {
    const widths = columns.map(({ name, width }) => (width === undefined ? (usual[name] ?? other)[place] : `${width}px`));
    // The last of the words takes what is left, so that the answer is as long as it can be.
    const tracks = widths.map((width, at) =>
      columns[at]?.name === 'words' && columns[at].width === undefined ? `minmax(${width}, 1fr)` : width,
    );
    return [tracks.join(' '), `calc(${[...widths, '24px'].join(' + ')})`];
  };
  const [[tracks, least], [narrowTracks, narrowLeast]] = [of(0), of(1)];
  return { '--columns': tracks, '--least': least, '--narrow-columns': narrowTracks, '--narrow-least': narrowLeast };
}
