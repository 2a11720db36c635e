import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../shared/isRecord';
import { toVisiblePieces } from '../../../shared/visiblePieces';
import { isInFolder, isOrdinaryFile } from './folderPaths';
import { beginsCommand, parseReadingCommand } from './readingCommands';
import type { ApprovalRule, FieldPattern } from './ruleFiles';

/** A call that asks for permission, exactly as in the service's log. */
export interface RuledAsk {
  readonly connection: string;
  /** Address of the connection. */
  readonly service: string;
  readonly session: string;
  /** The calling agent, `undefined` if unknown. */
  readonly agent: string | undefined;
  readonly tool: string;
  readonly server: string | undefined;
  /** The complete arguments, `undefined` if unknown. */
  readonly input: unknown;
}

/** A path that a rule allows because it is in a folder. If the folder is on this machine, the links in the path have to be checked. */
interface PathInFolder {
  readonly path: string;
  readonly folder: string;
}

/** A rule that decides an ask. If one of its paths leaves its folder through a link, the next rule decides. */
interface MatchedRule {
  readonly rule: ApprovalRule;
  readonly paths: readonly PathInFolder[];
}

/** Maximum number of characters in all names and texts of the arguments. The user decides about larger arguments. */
const maxCharacters = 1_000_000;
/** Maximum number of values in the arguments. */
const maxValues = 20_000;

/**
 * Returns the active rules that decide an ask. The first rule decides. Rules that deny win over rules that allow. Returns `undefined` if
 * the arguments are incomplete or have characters that a person can't see. No rule decides then. Takes time in proportion to the size of
 * the arguments and rules.
 */
export function decideByRules(rules: readonly ApprovalRule[], ask: RuledAsk): readonly MatchedRule[] | undefined {
  const { input } = ask;
  if (!isRecord(input) || ask.tool === '' || !isReadable([ask.tool, ask.server ?? '', input])) {
    return undefined;
  }
  const concerned = rules.filter(rule => rule.isOn && concerns(rule, ask));
  const denying = concerned.filter(rule => rule.result === 'deny' && denies(rule, input));
  const matching = denying.length > 0 ? denying : concerned.filter(rule => rule.result === 'allow' && allows(rule, input));
  return matching.map(rule => ({ rule, paths: rule.result === 'allow' ? pathsOf(rule, input) : [] }));
}

type Input = Readonly<Record<string, unknown>>;

function concerns(rule: ApprovalRule, ask: RuledAsk): boolean {
  return (
    rule.connection === ask.connection &&
    rule.service === ask.service &&
    (rule.session === undefined || rule.session === ask.session) &&
    (rule.agent === undefined || rule.agent === ask.agent) &&
    rule.tool === ask.tool &&
    rule.server === ask.server
  );
}

/** Returns whether a rule names every field of a call, and each value matches. */
function allows(rule: ApprovalRule, input: Input): boolean {
  const patterns = new Map(rule.fields.map(pattern => [pattern.field, pattern]));
  return (
    Object.keys(input).every(name => patterns.has(name)) &&
    rule.fields.every(pattern => {
      const value = input[pattern.field];
      return Object.hasOwn(input, pattern.field)
        ? matches(pattern, value) && (pattern.match !== 'folder' || isOrdinaryFile(String(value), pattern.folder))
        : pattern.match === 'anything';
    })
  );
}

function denies({ fields }: ApprovalRule, input: Input): boolean {
  return fields.every(pattern => Object.hasOwn(input, pattern.field) && matches(pattern, input[pattern.field]));
}

function matches(pattern: FieldPattern, value: unknown): boolean {
  switch (pattern.match) {
    case 'equals':
      return isDeepStrictEqual(pattern.value, value);
    case 'command':
      return typeof value === 'string' && beginsCommand(value, pattern.words) && parseReadingCommand(value) !== undefined;
    case 'folder':
      return typeof value === 'string' && isInFolder(value, pattern.folder);
    case 'anything':
      return true;
  }
}

function pathsOf(rule: ApprovalRule, input: Input): readonly PathInFolder[] {
  return rule.fields.flatMap(pattern => {
    const path = input[pattern.field];
    return pattern.match === 'folder' && typeof path === 'string' ? [{ path, folder: pattern.folder }] : [];
  });
}

/** Returns whether a person can see every character of all texts and names in a value, and whether the values are few enough to check. */
function isReadable(all: readonly unknown[]): boolean {
  const waiting: unknown[] = [...all];
  let [characters, values] = [0, 0];
  const isVisible = (text: string): boolean => {
    characters += text.length;
    return characters <= maxCharacters && toVisiblePieces(text).every(piece => typeof piece === 'string');
  };
  while (waiting.length > 0) {
    const value = waiting.pop();
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (++values > maxValues || entries.length > maxValues) {
      return false;
    }
    if ((typeof value === 'string' && !isVisible(value)) || !entries.every(([name]) => isVisible(name))) {
      return false;
    }
    waiting.push(...entries.map(([, part]) => part));
  }
  return true;
}
