import { cutText } from '../../shared/text';
import { readAnswerJson } from '../answers/answerJson';
import { AnswerTexts } from '../answers/answerText';
import { type BytesPiece, BytesReader } from '../answers/bytesReader';
import { judgeResults } from '../expecting/judgeResults';
import { fieldText, RequestFields } from '../fields/fieldsFile';
import type { PassContext } from '../files/lineFile';
import { storedAnswers } from '../results/resultStatus';
import { type IndexContents, readIndexOf } from '../results/resultsIndexFile';
import { COMMA, decodeString, JsonBytes, OPEN_BRACE, QUOTE } from '../scanning/jsonBytes';
import { lookUp } from '../scanning/jsonMembers';
import { type ColumnsSource, type JsonPath, type ValueColumn, type ValueColumnName, valueAt } from './valueColumns';

/** Maximum number of characters of a value to show. */
const longestShown = 200;

/**
 * Reads the values of columns for all rows of joined results, or paths of requests, in one pass. Values longer than `longest` characters
 * are cut. Blocks the thread, so only for workers. Throws an `IndexMismatchError` if the index does not match.
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

/** Reads the answers, for the columns of models and of paths in JSON answers. */
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
  const { count, statuses, offsets, lengths } = contents.rows;
  const texts = new AnswerTexts(joinedPath, contents);
  const models = new AnswerModels();
  const reader = new BytesReader(joinedPath);
  try {
    for (let row = 0; row < count; row++) {
      if (storedAnswers[statuses[row] as number] !== true) {
        continue;
      }
      const line = reader.read(offsets[row] as number, lengths[row] as number);
      model?.set(row, models.of(line));
      const json = paths.length === 0 ? undefined : readAnswerJson(isRequests ? textOf(line) : texts.of(row, line));
      if (json !== undefined) {
        for (const [path, maker] of paths) {
          maker.set(row, valueAt(json.value, path));
        }
      }
      context.throwIfAborted();
      context.progress({ doneBytes: (offsets[row] as number) + line.end - line.start, totalBytes: contents.joinedBytes });
    }
  } finally {
    reader.close();
  }
}

/** Fills a column with the models in the index. Returns `false` if the index has none because an older version wrote it. */
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
  private readonly values: string[] = [''];
  private readonly numbers = new Map([['', 0]]);
  private readonly of: Uint32Array;
  private isCut = false;

  constructor(
    private readonly name: ValueColumnName,
    count: number,
    private readonly longest: number,
  ) {
    this.of = new Uint32Array(new SharedArrayBuffer(count * 4));
  }

  get column(): ValueColumn {
    const { name, values, of, isCut } = this;
    return { name, values, of, ...(isCut && { isCut }) };
  }

  set(row: number, text: string): void {
    const value = cutText(text, this.longest);
    this.isCut ||= value !== text;
    let number = this.numbers.get(value);
    if (number === undefined) {
      number = this.values.push(value) - 1;
      this.numbers.set(value, number);
    }
    this.of[row] = number;
  }
}

const pathOfModel = ['result', 'message', 'model'].map(name => Buffer.from(JSON.stringify(name)));

/** Finds the model of an answer in one pass without parsing the line. The last of duplicate keys wins. */
class AnswerModels {
  private readonly json = new JsonBytes();
  private bytes: Buffer = Buffer.alloc(0);
  private model = '';

  of({ bytes, start }: BytesPiece): string {
    this.json.bytes = bytes;
    this.bytes = bytes;
    this.model = '';
    this.walk(start, 0);
    return this.model;
  }

  /** Walks an object at position `depth` of the path. Returns the offset after the object, or a negative number if it is invalid. */
  private walk(at: number, depth: number): number {
    const { json, bytes } = this;
    const wanted = pathOfModel[depth];
    if (wanted === undefined || bytes[at] !== OPEN_BRACE) {
      return json.skipValue(at);
    }
    let next = json.skipSpace(at + 1);
    while (bytes[next] === QUOTE) {
      const from = json.skipKey(next);
      const isWanted = from >= 0 && isAt(bytes, next, wanted);
      if (isWanted) {
        this.model = '';
      }
      const to = from < 0 ? -1 : isWanted ? this.walk(from, depth + 1) : json.skipValue(from);
      if (to < 0) {
        return -1;
      }
      if (isWanted && depth === pathOfModel.length - 1) {
        this.model = bytes[from] === QUOTE ? decodeString(bytes, from, to) : '';
      }
      next = json.skipSpace(to);
      next = bytes[next] === COMMA ? json.skipSpace(next + 1) : next;
    }
    return next + 1;
  }
}

/** Returns whether `key` is at an offset, without escapes. */
function isAt(bytes: Buffer, at: number, key: Buffer): boolean {
  for (let place = 0; place < key.length; place++) {
    if (bytes[at + place] !== key[place]) {
      return false;
    }
  }
  return true;
}

function textOf({ bytes, start, end }: BytesPiece): string {
  return bytes.toString('utf8', start, end);
}
