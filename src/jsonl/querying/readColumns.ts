import { judgeResults } from '../expecting/judgeResults';
import type { PassContext } from '../files/lineFile';
import { storedAnswers } from '../results/resultStatus';
import { type IndexContents, readIndexOf } from '../results/resultsIndexFile';
import { COMMA, decodeString, JsonBytes, OPEN_BRACE, QUOTE } from '../scanning/jsonBytes';
import { AnswerTexts } from './answerText';
import { type BytesPiece, BytesReader } from './bytesReader';
import { type ColumnsSource, type JsonPath, type ValueColumn, type ValueColumnName, valueAt } from './valueColumns';

/** Characters of a value that are kept. */
const longestValue = 200;
/** Characters of an answer that is looked into for values. */
const longestAnswer = 4 << 20;

/**
 * Reads values of every row out of joined results, or by paths out of requests, all of them in one pass. Blocks, so it is for threads. Throws
 * `IndexMismatchError`.
 */
export function readColumns({ names, expectationsPath, ...joined }: ColumnsSource, context: PassContext): readonly ValueColumn[] {
  const contents = readIndexOf(joined);
  const makers = new Map(names.map(name => [name, new ColumnMaker(name, contents.rows.count)]));
  const test = makers.get('test');
  if (test !== undefined) {
    const { groupOf, groups } = judgeResults({ ...joined, ...(expectationsPath !== undefined && { expectationsPath }) }, context);
    for (const [row, group] of groupOf.entries()) {
      test.set(row, groups[group]?.kind === 'passed' ? 'passed' : 'failed');
    }
  }
  readAnswers(joined.joinedPath, contents, makers, context);
  return [...makers.values()].map(maker => maker.column);
}

/** Goes over the answers for the models and the values of paths. */
function readAnswers(
  joinedPath: string,
  contents: IndexContents,
  makers: ReadonlyMap<ValueColumnName, ColumnMaker>,
  context: PassContext,
): void {
  const model = makers.get('model');
  const paths = [...makers].flatMap(([name, maker]) => (name.startsWith('$.') ? [[name as JsonPath, maker] as const] : []));
  if (model === undefined && paths.length === 0) {
    return;
  }
  const { count, statuses, offsets, lengths } = contents.rows;
  const isRequests = contents.subject === 'requests';
  const texts = new AnswerTexts(joinedPath, contents);
  const models = new AnswerModels();
  const reader = new BytesReader(joinedPath);
  try {
    for (let row = 0; row < count; row++) {
      if (storedAnswers[statuses[row] as number] !== true) {
        continue;
      }
      const line = reader.read(offsets[row] as number, lengths[row] as number);
      if (model !== undefined && !isRequests) {
        model.set(row, models.of(line));
      }
      const json = paths.length === 0 ? undefined : jsonOf(isRequests ? textOf(line) : texts.of(row, line));
      for (const [path, maker] of json === undefined ? [] : paths) {
        maker.set(row, valueAt(json, path));
      }
      context.throwIfAborted();
      context.progress({ doneBytes: (offsets[row] as number) + line.end - line.start, totalBytes: contents.joinedBytes });
    }
  } finally {
    reader.close();
  }
}

class ColumnMaker {
  readonly column: ValueColumn;
  private readonly values: string[] = [''];
  private readonly numbers = new Map([['', 0]]);

  constructor(name: ValueColumnName, count: number) {
    this.column = { name, values: this.values, of: new Uint32Array(new SharedArrayBuffer(count * 4)) };
  }

  set(row: number, text: string): void {
    const value = text.length > longestValue ? `${text.slice(0, longestValue - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
    let number = this.numbers.get(value);
    if (number === undefined) {
      number = this.values.push(value) - 1;
      this.numbers.set(value, number);
    }
    this.column.of[row] = number;
  }
}

const pathOfModel = ['result', 'message', 'model'].map(name => Buffer.from(JSON.stringify(name)));

/** The models that answers name, found without parsing the answers, in one pass over each: of members with one name the last counts. */
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

  /** Goes over an object that is `depth` steps into the path. Answers the place behind it, or a negative one where it is none. */
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

/** Whether a key stands there as it is, unescaped. */
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

/** The JSON of an answer, also in a fence of Markdown; undefined when it is none. */
function jsonOf(text: string): unknown {
  const plain = withoutFence(text.trim());
  if (plain.length > longestAnswer || (plain[0] !== '{' && plain[0] !== '[')) {
    return undefined;
  }
  try {
    return JSON.parse(plain);
  } catch {
    return undefined;
  }
}

function withoutFence(text: string): string {
  const begin = ['```json', '```'].find(fence => text.startsWith(fence));
  return begin !== undefined && text.length >= begin.length + 3 && text.endsWith('```') ? text.slice(begin.length, -3).trim() : text;
}
