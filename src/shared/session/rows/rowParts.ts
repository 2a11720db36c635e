import type { Part, Row } from './rows';

/** A part of a row, and the path by which the panel requests it completely. */
export interface NamedPart {
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
    case 'compaction':
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
  return parts.map((part, place) => ({ path: `${path}.${place}`, part }));
}
