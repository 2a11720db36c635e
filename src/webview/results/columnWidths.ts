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

/**
 * How many columns a table has that not every one has. A table with such columns that has little room leaves out why answers stopped, which
 * their state says in short: else the answers would not be on screen. What somebody made wider stays.
 */
export function extraColumns(columns: readonly TableColumn[]): number {
  const reason = columns.find(({ name }) => name === 'stop_reason');
  return reason === undefined || reason.width !== undefined
    ? 0
    : columns.filter(({ name }) => name === 'model' || name === 'test' || !(name in usual)).length;
}

/** The tracks of the rows' grid, and how wide all of them are at least, as variables of the style sheet. */
export function toColumnStyle(columns: readonly TableColumn[]): Readonly<Record<string, string>> {
  const of = (place: 0 | 1): readonly [tracks: string, least: string] => {
    const shown = place === 1 && extraColumns(columns) > 0 ? columns.filter(({ name }) => name !== 'stop_reason') : columns;
    const widths = shown.map(({ name, width }) => (width === undefined ? (usual[name] ?? other)[place] : `${width}px`));
    // The last of the words takes what is left, so that the answer is as long as it can be.
    const tracks = widths.map((width, at) =>
      shown[at]?.name === 'words' && shown[at].width === undefined ? `minmax(${width}, 1fr)` : width,
    );
    return [tracks.join(' '), `calc(${[...widths, '24px'].join(' + ')})`];
  };
  const [[tracks, least], [narrowTracks, narrowLeast]] = [of(0), of(1)];
  return { '--columns': tracks, '--least': least, '--narrow-columns': narrowTracks, '--narrow-least': narrowLeast };
}
