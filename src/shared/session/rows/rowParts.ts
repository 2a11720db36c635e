import { defined } from '../../defined';
import { listOf, objectOf, textOf } from '../eventFields';
import type { Timeline } from '../facts/timeline';
import { inputOf } from './buildToolRow';
import { contentOf } from './eventRows';
import { toPrettyJson } from './parts';
import type { Part, Row } from './rows';

interface NamedPart {
  readonly path: string;
  readonly part: Part;
}

export function partsOf(row: Row): readonly NamedPart[] {
  switch (row.kind) {
    case 'user':
    case 'agent':
    case 'system':
    case 'thinking':
    case 'thread':
      return counted('parts', row.parts);
    case 'tool':
      return [{ path: 'input', part: row.input }, ...counted('result', row.result?.parts ?? [])];
    case 'error':
    case 'note':
    case 'usage':
    case 'update':
      return named('details', row.details);
    case 'outcome':
      return named('rubric', row.rubric);
    case 'unknown':
      return named('json', row.json);
    case 'status':
    case 'model':
    case 'run':
    case 'gap':
      return [];
  }
}

export function hasCutParts(row: Row): boolean {
  return partsOf(row).some(({ part }) => 'cut' in part && part.cut !== undefined);
}

function named(path: string, part: Part | undefined): readonly NamedPart[] {
  return part === undefined ? [] : [{ path, part }];
}

function counted(path: string, parts: readonly Part[]): readonly NamedPart[] {
  return parts.map((part, index) => ({ path: `${path}.${index}`, part }));
}

/** A complete part. `data` is base64. An image or document without inlined data has its address or id as `text`. */
export interface WholePart {
  readonly type: Part['type'];
  readonly text: string;
  readonly mediaType?: string;
  readonly data?: string;
}

export function wholePartOf(timeline: Timeline, key: string, path: string): WholePart | undefined {
  const index = timeline.indexOf(key);
  const source = timeline.ownerOf(index);
  if (index === undefined || source === undefined) {
    return undefined;
  }
  if (path === 'ask') {
    const input = inputOf(timeline.eventAt(index)) ?? inputOf(timeline.eventAt(source.seq));
    return { type: 'json', text: toPrettyJson(input) };
  }
  const part = partsOf(timeline.build(source, Number.POSITIVE_INFINITY)).find(each => each.path === path)?.part;
  if (part === undefined || part.type === 'redacted') {
    return part && { type: part.type, text: '' };
  }
  if ('text' in part && part.text !== undefined) {
    return { type: part.type, text: part.text };
  }
  // The part is an image or a document. The row does not contain its data.
  const [list, at] = path.split('.');
  const event = timeline.eventAt(list === 'result' ? (source.result ?? source.seq) : source.seq);
  const file = objectOf(objectOf(listOf(contentOf(event))[Number(at)])?.source);
  return {
    ...{ type: part.type, text: textOf(file?.url) ?? textOf(file?.file_id) ?? '' },
    ...defined({ mediaType: textOf(file?.media_type), data: textOf(file?.data) }),
  };
}
