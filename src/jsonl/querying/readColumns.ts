import { forEachMember } from '../arranging/requestWalk';
import { judgeResults } from '../expecting/judgeResults';
import type { PassContext } from '../files/lineFile';
import { type IndexContents, readIndexOf } from '../results/resultsIndexFile';
import { resultStates } from '../results/resultsReport';
import { decodeString, JsonBytes, QUOTE } from '../scanning/jsonBytes';
import { AnswerTexts } from './answerText';
import { type BytesPiece, BytesReader } from './bytesReader';
import { type ColumnsSource, type JsonPath, type ValueColumn, type ValueColumnName, valueAt } from './valueColumns';

const succeeded = resultStates.indexOf('succeeded');
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
  const { count, states, offsets, lengths } = contents.rows;
  const isRequests = contents.subject === 'requests';
  const texts = new AnswerTexts(joinedPath, contents);
  const models = new AnswerModels();
  const reader = new BytesReader(joinedPath);
  try {
    for (let row = 0; row < count; row++) {
      if (states[row] !== succeeded) {
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

/** The models that answers name, found without parsing the answers. */
class AnswerModels {
  private readonly json = new JsonBytes();
  private bytes: Buffer = Buffer.alloc(0);

  of({ bytes, start }: BytesPiece): string {
    this.json.bytes = bytes;
    this.bytes = bytes;
    const message = this.member(this.member(start, 'result'), 'message');
    let model = '';
    this.each(message, 'model', (from, to) => {
      model = bytes[from] === QUOTE ? decodeString(bytes, from, to) : '';
    });
    return model;
  }

  private member(at: number, name: string): number {
    let found = -1;
    this.each(at, name, from => {
      found = from;
    });
    return found;
  }

  private each(at: number, name: string, visit: (from: number, to: number) => void): void {
    if (at >= 0) {
      forEachMember(this.json, at, (keyStart, keyEnd, from, to) => {
        if (keyEnd - keyStart === name.length + 2 && this.bytes.toString('latin1', keyStart + 1, keyEnd - 1) === name) {
          visit(from, to);
        }
      });
    }
  }
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
