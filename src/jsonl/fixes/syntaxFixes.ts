import type { FixKind } from './fixKinds';
import { repairJson } from './jsonRepair';
import { type FixMaker, toFix } from './lineFix';

const titles: Partial<Record<FixKind, string>> = {
  'json-commas': 'Remove the comma that nothing follows',
  'json-quotes': 'Use double quotation marks',
  'json-words': 'Write true, false and null as JSON does',
  'json-numbers': 'Write the number as JSON does',
  'json-comments': 'Remove the comment',
  'json-characters': 'Write control characters as escapes',
  'split-line': 'Put each request on a line of its own',
  'json-null': 'Write null',
  'json-escapes': 'Double the backslash',
  'json-missing-commas': 'Put a comma here',
  'json-brackets': 'Remove the brackets that close nothing',
  'json-end': 'Close what is left open',
};

/** Repairs of the first kind that the line needs; what else it needs comes after it, until the line is JSON. */
export const fixJsonSyntax: FixMaker = text => {
  const edits = repairJson(text);
  const kind = edits?.[0]?.kind;
  if (edits === undefined || kind === undefined) {
    return [];
  }
  const ofKind = edits.filter(edit => edit.kind === kind);
  return [toFix(kind, titles[kind] ?? '', ofKind)];
};

const surrogateToken =
  /\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2}|[\udc00-\udfff])?|[\ud800-\udbff](?:[\udc00-\udfff]|\\u[dD][c-fC-F][0-9a-fA-F]{2})?|\\u[dD][c-fC-F][0-9a-fA-F]{2}|[\udc00-\udfff]|\\./g;

/** Halves of pairs become U+FFFD, as any program does that has to write them. */
export const fixSurrogates: FixMaker = (text, { start, end }) => {
  const edits = [...text.slice(start, end).matchAll(surrogateToken)]
    .filter(([token]) => isLone(token))
    .map(({ 0: token, index }) => ({ start: start + index, end: start + index + token.length, text: '\ufffd' }));
  return edits.length === 0 ? [] : [toFix('surrogates', 'Put {0} in its place', edits, { args: ['\ufffd'] })];
};

function isLone(token: string): boolean {
  const isEscape = token.startsWith('\\');
  return isEscape ? token.length === 6 : token.length === 1;
}
