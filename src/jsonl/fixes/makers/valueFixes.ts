import { closeName } from '../../../contract/closeName';
import type { Problem } from '../../../contract/problem';
import { cutText } from '../../../shared/text';
import type { JsonLine } from '../jsonLine';
import { memberOf, type PlacedPart, replacement } from '../jsonParts';
import { atProblem, type FixMakers, type LineFix, toFix, toOption } from '../lineFix';
import { dropField, fixEmptyBlock, isNameMeant, removalFix } from './fieldFixes';
import { ofId } from './idFixes';
import { fixPicture } from './refusedFixes';

const exactNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const requiredFields: ReadonlySet<unknown> = new Set(['model', 'messages', 'max_tokens']);

const fixWrongType = atProblem((target, line, problem) => {
  const { path } = problem;
  const wanted = new Set(wantedWords(problem));
  const value = line.valueOf(target.part);
  const raw = line.raw(target.part);
  if (value === null) {
    const isOptional = path.length === line.paramsPath.length + 1 && !requiredFields.has(path.at(-1));
    return isOptional && removalFix('drop-null', target, true);
  }
  const converted = convert(value, raw, wanted);
  if (converted !== undefined) {
    return toFix('value-type', 'Change it to {0}', [replacement(target.part, converted)], [cutText(converted, 40)]);
  }
  const isItem = typeof value === 'string' || (typeof value === 'object' && !Array.isArray(value));
  return isItem && wanted.has('an array') && toFix('wrap-array', 'Wrap in an array', [replacement(target.part, `[${raw}]`)]);
});

function wantedWords(problem: Problem): readonly string[] {
  const words = String(problem.text.args[1] ?? '');
  return ['a string', 'a number', 'a whole number', 'true or false', 'an array', 'an object'].filter(word => words.includes(word));
}

/** Converts a value to one of the wanted types if the conversion loses nothing. */
function convert(value: unknown, raw: string, wanted: ReadonlySet<string>): string | undefined {
  if (typeof value === 'string') {
    const trimmed = value.trim();
    const isNumber = exactNumber.test(trimmed) && Number.isFinite(Number(trimmed));
    if (isNumber && (wanted.has('a number') || (wanted.has('a whole number') && Number.isInteger(Number(trimmed))))) {
      return trimmed;
    }
    return wanted.has('true or false') && /^(?:true|false)$/i.test(trimmed) ? trimmed.toLowerCase() : undefined;
  }
  return typeof value === 'number' && wanted.has('a string') ? JSON.stringify(raw) : undefined;
}

/** Parses a comma-separated list of JSON texts from a problem and returns its strings. */
function listedTexts(list: string): readonly string[] {
  try {
    const values = JSON.parse(`[${list}]`) as readonly unknown[];
    return values.filter(value => typeof value === 'string');
  } catch {
    return [];
  }
}

function valueFix(kind: 'listed-value' | 'model', target: PlacedPart, value: string, preferred: boolean): LineFix {
  return toFix(kind, 'Change it to {0}', [replacement(target.part, JSON.stringify(value))], [value], preferred);
}

/** Suggests the model that the rule names, then models of the connection with similar names. */
const fixModel = atProblem((target, line, { hint }, { models }) => {
  const value = line.valueOf(target.part);
  if (typeof value !== 'string') {
    return undefined;
  }
  const meant = hint?.suggestion;
  const others = models.filter(model => model !== meant && closeName(value, [model]) !== undefined).slice(0, 5);
  return [
    meant !== undefined && meant !== value && valueFix('model', target, meant, true),
    ...others.map(model => valueFix('model', target, model, false)),
  ];
});

/** Replaces a name with the most similar one defined in the request. */
const fixName = atProblem((target, line, { hint }) => {
  const value = line.valueOf(target.part);
  if (hint?.suggestion === undefined || typeof value !== 'string') {
    return undefined;
  }
  const names = line.once(target.part.key === 'mcp_server_name' ? namesOfServers : namesOfTools);
  return valueFix('listed-value', target, hint.suggestion, isNameMeant(value, hint.suggestion, names));
});

const namesOfServers = (line: JsonLine) => namesIn(line, 'mcp_servers');
const namesOfTools = (line: JsonLine) => namesIn(line, 'tools');

function namesIn(line: JsonLine, field: string): readonly string[] {
  const entries = line.arrayAt(line.inParams(field)?.part)?.parts ?? [];
  return entries.flatMap(entry => {
    const value = line.valueOf(memberOf(line.objectAt(entry), 'name'));
    return typeof value === 'string' ? value : [];
  });
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export const valueMakers: FixMakers = {
  'wrong-type': ofId(fixWrongType),
  'value-not-allowed': atProblem((target, line, problem) => {
    const { path, hint, text: words } = problem;
    const byBytes = path.at(-1) === 'media_type' ? fixPicture(line, problem) : undefined;
    if (byBytes !== undefined) {
      return byBytes;
    }
    const value = line.valueOf(target.part);
    const listed = listedTexts(String(words.args[1] ?? ''));
    // The name of a predefined tool is determined by its type.
    const isToolName = path.at(-1) === 'name' && path.at(-3) === 'tools' && listed.length === 1;
    const near = hint?.suggestion ?? (typeof value === 'string' ? closeName(value, listed) : undefined);
    const meant = isToolName ? listed[0] : near;
    if (meant !== undefined) {
      const preferred = isToolName || (typeof value === 'string' && isNameMeant(value, meant, listed));
      return meant !== value && valueFix('listed-value', target, meant, preferred);
    }
    return listed.slice(0, 8).map(one => valueFix('listed-value', target, one, false));
  }),
  'number-out-of-range': atProblem((target, line, { path, text: words }) => {
    const value = line.valueOf(target.part);
    const bound = words.args[1];
    if (typeof value !== 'number' || typeof bound !== 'number' || bound === value) {
      return undefined;
    }
    // The minimum of `max_tokens` is 0, which is valid but rarely intended.
    const preferred = !(path.at(-1) === 'max_tokens' && bound === 0);
    const title = bound > value ? 'Raise to {0}' : 'Lower to {0}';
    return toFix('number-bound', title, [replacement(target.part, String(bound))], [bound], preferred);
  }),
  'text-length': ofId(fixEmptyBlock),
  'text-pattern': ofId(() => undefined),
  /** Raises `max_tokens` or lowers the budget. `max_tokens` includes the budget (contract, Limits). */
  'thinking-budget': (line, { path }) => {
    const thinking = path.lastIndexOf('thinking');
    const base = thinking >= 0 ? path.slice(0, thinking) : path.slice(0, -1);
    const budget = line.partAt([...base, 'thinking', 'budget_tokens']);
    const most = line.partAt([...base, 'max_tokens']) ?? line.inParams('max_tokens');
    const budgetValue = line.valueOf(budget?.part);
    const maxValue = line.valueOf(most?.part);
    if (budget === undefined || most === undefined || !isCount(budgetValue) || !isCount(maxValue)) {
      return undefined;
    }
    // If `max_tokens` is 0, leaves room for an answer of 1,024 tokens.
    const raised = budgetValue + (maxValue > 0 ? maxValue : 1024);
    const lowered = Math.max(1024, Math.floor(maxValue / 2));
    return [
      toFix('thinking-budget', 'Raise max_tokens to {0}', [replacement(most.part, String(raised))], [raised]),
      lowered < maxValue &&
        toOption('thinking-budget', 'Lower budget_tokens to {0}', [replacement(budget.part, String(lowered))], [lowered]),
    ];
  },
  /** Removes a sampling parameter that the model rejects. A temperature can also be set to the only accepted value. */
  'sampling-rejected': atProblem(target => {
    const one = toOption('drop-sampling', 'Change it to {0}', [replacement(target.part, '1')], [1]);
    return [removalFix('drop-sampling', target, true), target.part.key === 'temperature' && one];
  }),
  'deprecated-model': fixModel,
  'unknown-model': fixModel,
  'tool-not-defined': fixName,
  'server-not-defined': fixName,
  /** Removes a user id that looks personal. Only the user can provide an opaque replacement. */
  'personal-user-id': dropField('user-id', false),
};
