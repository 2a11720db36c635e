import { type LooseValue, parseLoose } from './looseJson';

export type Span = readonly [start: number, end: number];

/** Returns nested selections around `column`, smallest first: token, content, value, member, object, up to the whole line. */
export function findSelections(text: string, column: number): readonly Span[] {
  const spans: Span[] = [[0, text.length]];
  const add = (start: number, end: number) => {
    const last = spans.at(-1);
    if (start < end && start <= column && column <= end && (last === undefined || start > last[0] || end < last[1])) {
      spans.push([start, end]);
    }
  };
  let value = parseLoose(text);
  while (value !== undefined) {
    value = step(value, column, add);
  }
  return spans.reverse();
}

function step(value: LooseValue, column: number, add: (start: number, end: number) => void): LooseValue | undefined {
  add(value.start, value.end);
  if (value.kind === 'text') {
    add(value.start + 1, value.closed ? value.end - 1 : value.end);
    return undefined;
  }
  const parts =
    value.kind === 'object'
      ? value.members.map(({ key, value: inner }) => [key.start, inner?.end ?? key.end] as const)
      : value.items.map(({ start, end }) => [start, end] as const);
  const [first] = parts;
  const last = parts.at(-1);
  if (first !== undefined && last !== undefined) {
    add(first[0], last[1]);
  }
  for (const [index, [start, end]] of parts.entries()) {
    if (column < start || column > end) {
      continue;
    }
    add(start, end);
    const member = value.members[index];
    if (member === undefined) {
      return value.items[index];
    }
    return column <= member.key.end ? member.key : member.value !== undefined && column >= member.value.start ? member.value : undefined;
  }
  return undefined;
}
