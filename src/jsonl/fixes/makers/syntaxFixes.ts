import { rootOf } from '../../scanning/jsonMembers';
import { type FixKind, fixKinds } from '../fixKinds';
import { memberOf } from '../jsonParts';
import { type FixMakers, toFix } from '../lineFix';
import { repairJson } from '../repairJson';
import { applyEdits } from '../textEdit';

/** Repairs that can change the meaning of a line. Other repairs of such a line are not preferred. */
const guesses: ReadonlySet<FixKind> = new Set<FixKind>(['json-missing-commas', 'json-brackets', 'json-end']);

/** Returns whether a part of a line is a whole request, not a piece of a request with an extra closing bracket. */
function isWhole(text: string): boolean {
  const root = rootOf(text);
  return memberOf(root, 'params') !== undefined || memberOf(root, 'messages') !== undefined;
}

const surrogateToken =
  /\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2}|[\udc00-\udfff])?|[\ud800-\udbff](?:[\udc00-\udfff]|\\u[dD][c-fC-F][0-9a-fA-F]{2})?|\\u[dD][c-fC-F][0-9a-fA-F]{2}|[\udc00-\udfff]|\\./g;

function isLone(token: string): boolean {
  return token.length === (token.startsWith('\\') ? 6 : 1);
}

export const syntaxMakers: FixMakers = {
  /** Returns the repairs of the kind that the line needs first. Other kinds follow in later rounds, until the line is JSON. */
  'json-syntax': ({ text }) => {
    const edits = repairJson(text);
    const kind = edits?.[0]?.kind;
    if (edits === undefined || kind === undefined) {
      return undefined;
    }
    const ofKind = edits.filter(edit => edit.kind === kind);
    const isGuess = !guesses.has(kind) && edits.some(edit => guesses.has(edit.kind));
    const preferred = !isGuess && (kind !== 'split-line' || applyEdits(text, edits).split('\n').every(isWhole));
    return toFix(kind, fixKinds[kind].label, ofKind, [], preferred);
  },
  /** Replaces each unpaired surrogate with U+FFFD, as UTF-8 encoders do. */
  'lone-surrogate': ({ text }, { start, end }) => {
    const edits = [...text.slice(start, end).matchAll(surrogateToken)]
      .filter(([token]) => isLone(token))
      .map(({ 0: token, index }) => ({ start: start + index, end: start + index + token.length, text: '\ufffd' }));
    return edits.length > 0 && toFix('surrogates', 'Replace with {0}', edits, ['\ufffd']);
  },
};
