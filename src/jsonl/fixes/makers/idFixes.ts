import { closeName } from '../../../contract/closeName';
import { customIdPattern } from '../../../contract/customId';
import { derivedId, freeId, maxIdCharacters } from '../../files/derivedIds';
import { type JsonContainer, type JsonPart, rootOf } from '../../scanning/jsonMembers';
import type { JsonLine } from '../jsonLine';
import { insertion, memberOf, removal, renaming, replacement, spacingOf } from '../jsonParts';
import { type FixContext, type FixMaker, type FixMakers, type LineFix, toFix, toOption } from '../lineFix';
import { applyEdits, type TextEdit } from '../textEdit';

/** Returns the field `id` of a request that has params but no `custom_id`. */
export function otherIdOf({ root, text }: JsonLine): JsonPart | undefined {
  const id = memberOf(root, 'id');
  const isId = id !== undefined && /^["\d-]/.test(text.slice(id.start, id.start + 1));
  return isId && memberOf(root, 'params') !== undefined && memberOf(root, 'custom_id') === undefined ? id : undefined;
}

/** Returns the field whose name is probably a misspelling of `custom_id`. Adding a new id would lose the value of that field. */
export function misspeltIdOf(root: JsonContainer | undefined): JsonPart | undefined {
  return root?.parts.find(({ key }) => closeName(String(key), ['custom_id']) !== undefined);
}

export function renameFix(part: JsonPart, name: string, preferred: boolean): LineFix {
  return toFix('rename-field', 'Change {0} to {1}', [renaming(part, name)], [String(part.key), name], preferred);
}

/** Returns the edits that set the id of a request. The id replaces the old one, or becomes the first field. */
export function idEdits(text: string, request: JsonContainer, id: string): readonly TextEdit[] {
  const member = memberOf(request, 'custom_id');
  return [member === undefined ? insertion(text, request, 'custom_id', JSON.stringify(id), true) : replacement(member, JSON.stringify(id))];
}

/** Returns the edits that wrap bare params in a request with an id, spaced like the params. */
export function wrapEdits(text: string, params: JsonContainer, id: string): readonly TextEdit[] {
  const { colon, comma } = spacingOf(text, params.parts[0]);
  return [
    { start: params.start, end: params.start, text: `{"custom_id"${colon}${JSON.stringify(id)}${comma}"params"${colon}` },
    { start: params.end, end: params.end, text: '}' },
  ];
}

/** Returns whether the id is an array or object. Replacing such an id would lose its content. */
export function holdsMoreThanId(text: string, { start }: JsonPart): boolean {
  return text[start] === '[' || text[start] === '{';
}

/** Returns a valid id derived from the invalid id of a request. The invalid id is a text or a number. */
export function baseOfId(text: string, request: JsonContainer, line: number): string {
  const member = memberOf(request, 'custom_id');
  const value: unknown = member === undefined ? undefined : JSON.parse(text.slice(member.start, member.end));
  const raw = typeof value === 'number' && member !== undefined ? text.slice(member.start, member.end) : value;
  return (typeof raw === 'string' ? repairId(raw) : undefined) ?? derivedId(line);
}

export const fixMissingId: FixMaker = (line, _problem, context) => {
  const { text, root } = line;
  if (root === undefined) {
    return undefined;
  }
  const other = otherIdOf(line);
  if (other !== undefined) {
    return renameFix(other, 'custom_id', true);
  }
  const id = freeId(derivedId(context.line), context.isTaken);
  return toFix('make-id', 'Add the ID {0}', idEdits(text, root, id), [id], misspeltIdOf(root) === undefined);
};

const fixOddId: FixMaker = ({ text, root }, _problem, context) => {
  const member = memberOf(root, 'custom_id');
  if (root === undefined || member === undefined) {
    return undefined;
  }
  const id = freeId(baseOfId(text, root, context.line), context.isTaken);
  return toFix('repair-id', 'Change the ID to {0}', idEdits(text, root, id), [id], !holdsMoreThanId(text, member));
};

/** Creates a maker that fixes an invalid `custom_id`. Uses `other` for all other fields. */
export function ofId(other: FixMaker): FixMaker {
  return (line, problem, context) => {
    const isId = problem.path.length === 1 && problem.path[0] === 'custom_id';
    return (isId ? fixOddId : other)(line, problem, context);
  };
}

const fixTakenId: FixMaker = (line, problem, context) => {
  const { text, root } = line;
  const member = memberOf(root, 'custom_id');
  const value = line.valueOf(member);
  if (root === undefined || typeof value !== 'string') {
    return undefined;
  }
  const base = isAllowedId(value) ? value : baseOfId(text, root, context.line);
  const id = freeId(base, candidate => candidate === value || context.isTaken(candidate));
  const twin = problem.rule === 'duplicate-id' ? problem.related?.[0]?.line : undefined;
  const isCopy = twin !== undefined && twin < context.line && context.textAt?.(twin) === text;
  // The first use keeps its id, because other files may refer to it.
  const isFirst = twin !== undefined && twin > context.line;
  return [
    toFix('unique-id', 'Change the ID to {0}', idEdits(text, root, id), [id], !isFirst),
    isCopy && { ...toOption('same-line', 'Remove duplicate request', [], [twin + 1]), removesLine: true },
  ];
};

/** Returns the fix that wraps bare params in a request. The request gets the id that is derived for bare params when they are sent. */
export function fixBareParams(text: string, context: FixContext): LineFix | undefined {
  const params = rootOf(text);
  if (params === undefined || params.parts.some(({ key }) => key === 'params' || key === 'custom_id')) {
    return undefined;
  }
  const id = freeId(derivedId(context.line), candidate => candidate !== derivedId(context.line) && context.isTaken(candidate));
  return toFix('wrap-params', 'Wrap in a request with ID {0}', wrapEdits(text, params, id), [id]);
}

/** Moves all fields except `custom_id` into the missing `params`. */
export const fixMissingParams: FixMaker = line => {
  const { text } = line;
  const id = line.partAt(['custom_id']);
  const root = id?.container;
  const others = root?.parts.filter(part => part.key !== 'custom_id') ?? [];
  const areParams = others.some(({ key }) => key === 'messages' || key === 'model');
  // Requests with `method`, `body` or `url` are requests of another service.
  if (id === undefined || root === undefined || !areParams || others.length !== root.parts.length - 1 || others.some(isForeign)) {
    return undefined;
  }
  const rest = applyEdits(text, [removal(id)]).trim();
  const { colon, comma } = spacingOf(text, id.part);
  const after = `{"custom_id"${colon}${line.raw(id.part)}${comma}"params"${colon}${rest}}`;
  const edits: readonly TextEdit[] =
    id.index === 0
      ? [
          { start: others[0]?.from ?? 0, end: others[0]?.from ?? 0, text: `"params"${colon}{` },
          { start: root.end, end: root.end, text: '}' },
        ]
      : [{ start: root.start, end: root.end, text: after }];
  return toFix('gather-params', 'Move fields into "params"', edits);
};

function isForeign({ key }: JsonPart): boolean {
  return key === 'method' || key === 'body' || key === 'url';
}

/** Returns whether the service accepts an id (contract: 1 to 64 of `a-z A-Z 0-9 _ -`). */
export function isAllowedId(id: string): boolean {
  return customIdPattern.test(id);
}

/** Returns the closest valid id: trimmed, cut, `_` for other characters. `undefined` without a letter or digit. */
export function repairId(id: string): string | undefined {
  const repaired = id
    .trim()
    .replace(/[^a-zA-Z0-9_-]/gu, '_')
    .slice(0, maxIdCharacters);
  return /[a-zA-Z0-9]/.test(repaired) ? repaired : undefined;
}

export const idMakers: FixMakers = {
  'duplicate-id': fixTakenId,
  'made-id-taken': fixTakenId,
};
