import { cutText } from '../../shared/text';
import { readAnswerJson } from '../answers/answerJson';
import { JoinedReader } from '../answers/answerText';
import { judgeResults } from '../expecting/judgeResults';
import { fieldText, RequestFields } from '../fields/fieldsFile';
import type { PassContext } from '../files/lineFile';
import { type BytesPiece, textOf } from '../files/spanReader';
import { sharedWords } from '../files/typedArrays';
import { storedAnswers } from '../results/resultStatus';
import { type IndexContents, readIndexOf } from '../results/resultsIndexFile';
import { JsonBytes } from '../scanning/jsonBytes';
import { lookUp } from '../scanning/jsonMembers';
import { type ColumnsSource, type JsonPath, TextNumbers, textAt, type ValueColumn, type ValueColumnName } from './valueColumns';

const longestShown = 200;

/**
 * Reads columns for all rows of joined results, or of the requests of a file, in one pass. Values longer than `longest` characters are cut.
 * Blocks the thread, so only for workers. Throws an `IndexMismatchError` if the index does not match.
 */
export function readColumns(
  { names, expectationsPath, fieldsPath, ...joined }: ColumnsSource,
  context: PassContext,
  longest = longestShown,
): readonly ValueColumn[] {
  const contents = readIndexOf(joined);
  const makers = new Map(names.map(name => [name, new ColumnMaker(name, contents.rows.count, longest)]));
  const test = makers.get('test');
  if (test !== undefined && expectationsPath !== undefined) {
    judgeResults({ ...joined, expectationsPath }, context, {
      onChecked: (row, _checks, failed) => test.set(row, failed?.length === 0 ? 'passed' : 'failed'),
    });
  }
  const beside = [...makers].filter(([name]) => name.startsWith('fields.'));
  if (beside.length > 0) {
    const fields = RequestFields.read(fieldsPath, () => context.throwIfAborted());
    for (let row = 0; row < contents.rows.count; row++) {
      const own = fields.of(contents.ids.text(contents.rows.ids[row] as number));
      for (const [name, maker] of own === undefined ? [] : beside) {
        maker.set(row, fieldText(lookUp(own as ReadonlyMap<string, string>, name.slice('fields.'.length))));
      }
    }
  }
  readAnswers(joined.joinedPath, contents, makers, context);
  return [...makers.values()].map(maker => maker.column);
}

function readAnswers(
  joinedPath: string,
  contents: IndexContents,
  makers: ReadonlyMap<ValueColumnName, ColumnMaker>,
  context: PassContext,
): void {
  const isRequests = contents.subject === 'requests';
  const model = isRequests || setModels(makers.get('model'), contents) ? undefined : makers.get('model');
  const paths = [...makers].flatMap(([name, maker]) => (name.startsWith('$.') ? [[name as JsonPath, maker] as const] : []));
  if (model === undefined && paths.length === 0) {
    return;
  }
  const { count, statuses, offsets } = contents.rows;
  const json = new JsonBytes();
  const reader = new JoinedReader(joinedPath, contents);
  try {
    for (let row = 0; row < count; row++) {
      if (storedAnswers[statuses[row] as number] !== true) {
        continue;
      }
      const line = reader.line(row);
      model?.set(row, modelOf(json, line));
      const answer = paths.length === 0 ? undefined : readAnswerJson(isRequests ? textOf(line) : reader.text(row, line));
      if (answer !== undefined) {
        for (const [path, maker] of paths) {
          maker.set(row, textAt(answer.value, path));
        }
      }
      context.throwIfAborted();
      context.progress({ doneBytes: (offsets[row] as number) + line.end - line.start, totalBytes: contents.joinedBytes });
    }
  } finally {
    reader.close();
  }
}

/** Fills a column with the models in the index. Returns `false` if an older version wrote the index, without models. */
function setModels(maker: ColumnMaker | undefined, { rows, reasons }: IndexContents): boolean {
  if (maker === undefined || !rows.models.some(model => model !== 0)) {
    return false;
  }
  for (let row = 0; row < rows.count; row++) {
    maker.set(row, reasons[(rows.models[row] as number) - 1] ?? '');
  }
  return true;
}

class ColumnMaker {
  private readonly texts = new TextNumbers();
  private readonly of: Uint32Array;
  private isCut = false;

  constructor(
    private readonly name: ValueColumnName,
    count: number,
    private readonly longest: number,
  ) {
    this.of = sharedWords(count);
  }

  get column(): ValueColumn {
    const { name, texts, of, isCut } = this;
    return { name, values: texts.values, of, ...(isCut && { isCut }) };
  }

  set(row: number, text: string): void {
    const value = cutText(text, this.longest);
    this.isCut ||= value !== text;
    this.of[row] = this.texts.of(value);
  }
}

function modelOf(json: JsonBytes, { bytes, start }: BytesPiece): string {
  json.bytes = bytes;
  const message = json.find(json.find(start, 'result'), 'message');
  return json.stringAt(json.find(message, 'model')) ?? '';
}
