// Reads the comments of the sources and tests, and checks their English by the rules of CONTRIBUTING.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A comment. Adjacent line comments are one comment.
 * @typedef {object} Comment
 * @property {string} file relative to the project, with forward slashes
 * @property {number} line 1-based
 * @property {string} text without comment marks, on one line
 */

/**
 * Lists the comments of all TypeScript and JavaScript sources below `folders`, sorted by file and line.
 * @param {string} root the project
 * @param {readonly string[]} folders relative to it
 * @returns {Comment[]}
 */
export function listComments(root, folders = ['src', 'test']) {
  return folders
    .flatMap(folder => readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(file => path.join(folder, file)))
    .filter(file => /\.(ts|tsx|mjs)$/.test(file))
    .sort()
    .flatMap(file => commentsOf(file.replaceAll(path.sep, '/'), readFileSync(path.join(root, file), 'utf8')));
}

/**
 * Lists the comments of one source: those that begin a line, and those behind code.
 * @param {string} file
 * @param {string} source
 * @returns {Comment[]}
 */
export function commentsOf(file, source) {
  const comments = [];
  let open;
  for (const [index, code] of source.split('\n').entries()) {
    const begins = /^\s*(\/\*\*?|\/\/)|[;,{})\]] \/\/ /.exec(code);
    if (open?.isBlock) {
      open.comment.text += ` ${code.replace(/\*\/.*/, '').replace(/^\s*\*? ?/, '')}`;
      open = code.includes('*/') ? undefined : open;
    } else if (begins?.[1]?.startsWith('/*')) {
      const text = code.slice(begins[0].length);
      comments.push({ file, line: index + 1, text: text.replace(/\*\/.*/, '') });
      open = text.includes('*/') ? undefined : { comment: comments.at(-1), isBlock: true };
    } else if (begins === null) {
      open = undefined;
    } else if (open !== undefined && begins[1] === '//') {
      open.comment.text += ` ${code.slice(begins[0].length)}`;
    } else {
      comments.push({ file, line: index + 1, text: code.slice(begins.index + begins[0].length) });
      open = begins[1] === '//' ? { comment: comments.at(-1), isBlock: false } : undefined;
    }
  }
  return comments
    .map(comment => ({ ...comment, text: comment.text.replace(/\s+/g, ' ').trim() }))
    .filter(({ text }) => text !== '' && !/^(biome-ignore|@ts-|#region|#endregion|\/ ?<)/.test(text));
}

const riddles = [
  [/^(What|Who|Where|When|How|Whether|Of)\b/, 'starts with a bare question word or "Of"'],
  [/^(Has|Have)\b.*\b(drawn|asked|told|made|known|shown|looked)\b/, 'starts with "Has ... done"'],
  [/^(Is told|Says that|Sees to it)\b/, 'starts with "Is told", "Says that" or "Sees to it"'],
  [/\b(told|untold|as things stand|the begin|begins with what|mend(s|ed|ing)?|whoever|another one than)\b/i, 'uses a word of the table'],
];

/**
 * Checks the English of a comment. Returns one reason per rule that it breaks.
 * @param {string} text
 * @returns {string[]}
 */
export function faultsOf(text) {
  const prose = text
    .replace(/`[^`]*`/g, 'X')
    .replace(/\{@link[^}]*\}/g, 'X')
    .replace(/\|.*\|/, '');
  const faults = riddles.filter(([pattern]) => pattern.test(prose)).map(([, why]) => why);
  const sentences = prose.split(/(?<=[.!?:])\s+(?=[A-Z('"\d])|\s+(?=@[a-z])/);
  if (sentences.some(sentence => sentence.split(/\s+/).length > 30)) {
    faults.push('has a sentence over 30 words');
  }
  if (sentences.some(sentence => sentence.includes(';') && sentence.split(',').length > 3)) {
    faults.push('has a sentence with three commas and a semicolon');
  }
  return faults;
}
