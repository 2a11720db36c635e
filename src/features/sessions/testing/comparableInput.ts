import { isRecord } from '../../../shared/isRecord';
import { canonical } from '../../../shared/schema/jsonValues';
import { shallow } from '../../../shared/shallow';

/**
 * Formats the arguments of a call so that equal arguments have equal texts: with members sorted by name and without ignored parts. The JSON
 * pointers (RFC 6901) in `ignore` can contain `*`, which matches any one member or element.
 */
export function comparableInput(input: unknown, ignore: readonly string[]): string {
  const kept = ignore.reduce((value, pointer) => without(value, toSteps(pointer)), shallow(input));
  return kept === undefined ? '' : canonical(kept);
}

/** Returns whether a text is a JSON pointer into the arguments. */
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
    // An ignored element becomes `null`, so that the positions of the others stay.
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
