import type { Problem } from '../../contract/problem';
import type { RuleId } from '../rules/ruleTable';
import type { JsonLine } from './jsonLine';
import type { FixContext, FixMaker, LineFix } from './lineFix';
import * as fieldFixes from './makers/fieldFixes';
import { fixMissingField } from './makers/fixMissingField';
import { fixOddId, fixTakenId } from './makers/idFixes';
import * as refusedFixes from './makers/refusedFixes';
import { fixJsonSyntax, fixSurrogates } from './makers/syntaxFixes';
import * as valueFixes from './makers/valueFixes';

/** Creates a maker that fixes an invalid `custom_id`. Uses `other` for all other fields. */
function ofId(other: FixMaker): FixMaker {
  return (line, problem, context) => {
    const isId = problem.path.length === 1 && problem.path[0] === 'custom_id';
    return (isId ? fixOddId : other)(line, problem, context);
  };
}

/** Fixes by rule. Problems of all other rules can't be fixed automatically. */
const makers: Partial<Record<RuleId, FixMaker>> = {
  'json-syntax': fixJsonSyntax,
  'duplicate-key': fieldFixes.fixDoubledKey,
  'lone-surrogate': fixSurrogates,
  'blank-line': fieldFixes.fixBlankLine,
  'missing-field': fixMissingField,
  'unknown-field': fieldFixes.fixUnknownField,
  'newer-field': fieldFixes.dropField('remove-field', false),
  'wrong-type': ofId(valueFixes.fixWrongType),
  'value-not-allowed': valueFixes.fixNotAllowed,
  'number-out-of-range': valueFixes.fixOutOfRange,
  'text-length': ofId(fieldFixes.fixEmptyBlock),
  'text-pattern': ofId(() => []),
  'thinking-budget': valueFixes.fixThinkingBudget,
  'credit-with-fallbacks': fieldFixes.fixCreditWithFallbacks,
  'credit-expires': fieldFixes.dropField('credit', true),
  'credit-needs-beta': fieldFixes.fixCreditForm,
  'user-profile-conflict': fieldFixes.dropField('remove-field', true),
  'sampling-rejected': valueFixes.fixSampling,
  'model-limit': refusedFixes.fixModelLimit,
  'deprecated-field': fieldFixes.fixDeprecatedField,
  'deprecated-model': valueFixes.fixModel,
  'unknown-model': valueFixes.fixModel,
  'stream-in-batch': fieldFixes.dropField('drop-stream', true),
  'system-role': fieldFixes.fixSystemRole,
  'empty-content': fieldFixes.fixEmptyBlock,
  'tool-not-defined': valueFixes.fixName,
  'duplicate-tool': fieldFixes.fixDoubledTool,
  'server-not-defined': valueFixes.fixName,
  'tool-pairs': refusedFixes.fixToolPair,
  'picture-type': refusedFixes.fixPicture,
  'cache-markers': refusedFixes.fixCacheMarker,
  prefill: refusedFixes.fixPrefill,
  'forced-tool-thinking': refusedFixes.fixForcedTool,
  'emptied-thinking': fieldFixes.dropItem('emptied-thinking', 'Remove empty block'),
  'output-format-twice': fieldFixes.fixOutputFormatTwice,
  'personal-user-id': valueFixes.fixUserId,
  'duplicate-id': fixTakenId,
  'made-id-taken': fixTakenId,
};

/**
 * Returns the fixes for a problem of a line, the preferred one first. Empty if no fix is sensible. The problem must be from the current
 * text of the line.
 */
export function fixesOfProblem(line: JsonLine, problem: Problem, context: FixContext): readonly LineFix[] {
  return makerOf(problem.rule)?.(line, problem, context) ?? [];
}

/** Returns whether there are fixes for any problems of a rule. */
export function hasFixes(rule: string): boolean {
  return makerOf(rule) !== undefined;
}

function makerOf(rule: string): FixMaker | undefined {
  return Object.hasOwn(makers, rule) ? makers[rule as RuleId] : undefined;
}
