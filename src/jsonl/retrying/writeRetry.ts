import { createHash } from 'node:crypto';
import { type BlockWriter, writeWholeFiles } from '../files/blockWriter';
import type { PassContext } from '../files/lineFile';
import { type LineMap, readLineMap } from '../files/lineMap';
import type { FileWriting } from '../files/wholeFile';
import { applyEdits } from '../fixes/textEdit';
import { findAnswered } from './findAnswered';
import { findSubmitted } from './findSubmitted';
import { editOf } from './requestChange';
import type { RequestChange, RetryWriteSource, RetryWritten } from './retryingJobs';
import type { SubmittedFile } from './submittedFile';

const notChosen = -1;

/** None of the chosen requests stands in its file any more. */
export class NothingWrittenError extends Error {
  override readonly name = 'NothingWrittenError';

  constructor() {
    super('None of these requests stands in its file any more, so nothing was written.');
  }
}

/**
 * Writes the chosen requests to a new file, oldest file first and in the order of each: whole requests as their lines stand, bare message
 * params under the id that was made for them, nothing changed but the one field of a change. The file appears whole or not at all. Blocks,
 * so it is for threads. Throws `NothingWrittenError`, `LineMapError` and `FileWriteError`, and `IndexMismatchError` of `answered`.
 */
export async function writeRetry(
  { files, groups: planned, answered, outPath }: RetryWriteSource,
  context: PassContext,
  writing?: FileWriting,
): Promise<RetryWritten> {
  const hash = createHash('sha256');
  let written = 0;
  const maps = new Map<string, LineMap>();
  const mapOf = ({ linesPath }: SubmittedFile): LineMap => {
    const map = maps.get(linesPath) ?? readLineMap(linesPath);
    maps.set(linesPath, map);
    return map;
  };
  const groups = answered === undefined ? planned : [...planned, { change: undefined, places: findAnswered(answered, files.map(mapOf)) }];
  const chosen = planned.reduce((sum, { places }) => sum + places.length / 2, answered?.rows.length ?? 0);
  await writeWholeFiles(
    context,
    async opened => {
      const out = new RequestWriter(await opened.create(outPath), hash);
      for (const [place, file] of files.entries()) {
        const groupOf = groupsOf(groups, place);
        if (groupOf === undefined) {
          continue;
        }
        const map = mapOf(file);
        findSubmitted(file, map, context, (number, { bytes, valueStart, valueEnd, kind }) => {
          const group = groupOf.get(number) ?? notChosen;
          if (group === notChosen) {
            return;
          }
          const change = groups[group]?.change;
          const value = bytes.subarray(valueStart, valueEnd);
          const changed = change === undefined ? undefined : changedText(value, change);
          out.add(changed ?? value, kind === 'params' ? map.ids.text(number) : undefined);
          written++;
        });
      }
      if (written === 0) {
        throw new NothingWrittenError();
      }
    },
    writing,
  );
  return { written, sha256: hash.digest('hex'), gone: chosen - written };
}

/** Of the chosen requests of one file the place of their group; undefined when there are none. */
function groupsOf(groups: RetryWriteSource['groups'], file: number): ReadonlyMap<number, number> | undefined {
  const found = new Map<number, number>();
  for (const [group, { places }] of groups.entries()) {
    for (let at = 0; at < places.length; at += 2) {
      if (places[at] === file) {
        found.set(places[at + 1] as number, group);
      }
    }
  }
  return found.size === 0 ? undefined : found;
}

function changedText(value: Buffer, change: RequestChange): Buffer | undefined {
  const text = value.toString('utf8');
  const edit = editOf(text, change);
  return edit === undefined ? undefined : Buffer.from(applyEdits(text, [edit]));
}

class RequestWriter {
  constructor(
    private readonly out: BlockWriter,
    private readonly hash: ReturnType<typeof createHash>,
  ) {}

  /** A whole request, or with an id bare params that become one. */
  add(value: Uint8Array, id: string | undefined): void {
    if (id !== undefined) {
      this.put(Buffer.from(`{"custom_id":${JSON.stringify(id)},"params":`));
    }
    this.put(value);
    this.put(Buffer.from(id === undefined ? '\n' : '}\n'));
  }

  private put(bytes: Uint8Array): void {
    this.hash.update(bytes);
    this.out.add(bytes);
  }
}
