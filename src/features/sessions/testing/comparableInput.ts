import { isRecord } from '../../../shared/isRecord';
import { shallow } from '../../../shared/shallow';

/**
 * The arguments of a call as a text that is the same for those that say the same: members in the order of their names, without what is to be
 * ignored. `ignore` are JSON pointers (RFC 6901) in which `*` stands for any one member or element.
 */
export function comparableInput(input: unknown, ignore: readonly string[]): string {
  const kept = ignore.reduce((value, pointer) => without(value, toSteps(pointer)), shallow(input));
  return JSON.stringify(kept, inOrder) ?? '';
}

/** Whether a text is a pointer to something in the arguments: it begins with a slash. */
export function isPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)+$/.test(text);
}

function toSteps(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function without(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) {
    return undefined;
  }
  if (Array.isArray(value)) {
    // What is ignored of a list leaves its place: the others are compared where they stand.
    return value.map((element, at) => (step === '*' || step === String(at) ? (without(element, rest) ?? null) : element));
  }
  if (!isRecord(value)) {
    return value;
  }
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    step === '*' || step === name ? without(member, rest) : member,
  ]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function inOrder(_: string, value: unknown): unknown {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : value;
}
