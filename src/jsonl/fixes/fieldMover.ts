import { closeName } from '../../contract/closeName';
import { messageParamsSchema } from '../../contract/messageParams';
import { JsonLine } from './jsonLine';
import { memberOf, removals } from './jsonParts';
import type { LineRewriter, RewriteSummary, SourceLine } from './lineRewriter';
import { applyEdits } from './textEdit';

/** Fields of a request, and fields that belong in its params. `metadata` next to the params may be the user's own notes. */
const requestFields: readonly string[] = ['custom_id', 'params'];
const paramsFields: ReadonlySet<string | number> = new Set(Object.keys(messageParamsSchema.shape).filter(name => name !== 'metadata'));

/** Removes the user's own fields from requests, where a batch does not allow them, and collects them by `custom_id`. */
export class FieldMover implements LineRewriter {
  private readonly moved: string[] = [];
  private requests = 0;

  survey({ kind }: SourceLine): void {
    this.requests += kind === 'request' ? 1 : 0;
  }

  rewrite(line: SourceLine): readonly string[] | undefined {
    if (line.kind !== 'request' || !line.canChange || !line.customId()) {
      return undefined;
    }
    const text = line.text();
    const json = new JsonLine(text);
    const { root } = json;
    const id = memberOf(root, 'custom_id');
    const extra = [...ownFieldsOf(json)];
    if (root === undefined || id === undefined || extra.length === 0) {
      return undefined;
    }
    const members = extra.flatMap(index => {
      const part = root.parts[index];
      return part === undefined ? [] : [text.slice(part.from, part.end)];
    });
    this.moved.push(`{${[text.slice(id.from, id.end), ...members].join(',')}}\n`);
    return [applyEdits(text, removals(root, extra))];
  }

  summary(): RewriteSummary {
    const { moved, requests } = this;
    return { changedLines: moved.length, fixes: [], problemsLeft: 0, requests, withoutId: 0, movedFields: moved.join('') };
  }
}

/** Returns the indexes of the user's own fields, not of misspelled or misplaced ones. Empty if a key occurs twice. */
export function ownFieldsOf({ root }: JsonLine): ReadonlySet<number> {
  const parts = root?.parts ?? [];
  const keys = new Set(parts.map(({ key }) => key));
  if (!keys.has('params') || keys.size < parts.length) {
    return new Set();
  }
  const isOwn = (key: string) => !requestFields.includes(key) && !paramsFields.has(key) && closeName(key, requestFields) === undefined;
  return new Set(parts.flatMap(({ key }, index) => (isOwn(String(key)) ? [index] : [])));
}
