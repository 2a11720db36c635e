import type { Problem } from '../../contract/problem';
import type { RuleId } from '../rules/ruleTable';
import type { JsonLine } from './jsonLine';
import type { FixContext, FixMaker, LineFix } from './lineFix';
import {
  dropField,
  dropItem,
  fixBlankLine,
  fixCreditForm,
  fixCreditWithFallbacks,
  fixDeprecatedField,
  fixDoubledKey,
  fixDoubledTool,
  fixEmptyBlock,
  fixOutputFormatTwice,
  fixSystemRole,
  fixUnknownField,
} from './makers/fieldFixes';
import { fixMissingField } from './makers/fixMissingField';
import { fixTakenId } from './makers/idFixes';
import { fixCacheMarker, fixForcedTool, fixModelLimit, fixPicture, fixPrefill, fixToolPair } from './makers/refusedFixes';
import { fixJsonSyntax, fixSurrogates } from './makers/syntaxFixes';
import {
  fixModel,
  fixName,
  fixNotAllowed,
  fixOutOfRange,
  fixSampling,
  fixTextLength,
  fixTextPattern,
  fixThinkingBudget,
  fixUserId,
  fixWrongType,
} from './makers/valueFixes';

/** Fixes by rule. Problems of all other rules can't be fixed automatically. */
const makers: Partial<Record<RuleId, FixMaker>> = {
  'json-syntax': fixJsonSyntax,
  'duplicate-key': fixDoubledKey,
  'lone-surrogate': fixSurrogates,
  'blank-line': fixBlankLine,
  'missing-field': fixMissingField,
  'unknown-field': fixUnknownField,
  'newer-field': dropField('remove-field', false),
  'wrong-type': fixWrongType,
  'value-not-allowed': fixNotAllowed,
  'number-out-of-range': fixOutOfRange,
  'text-length': fixTextLength,
  'text-pattern': fixTextPattern,
  'thinking-budget': fixThinkingBudget,
  'credit-with-fallbacks': fixCreditWithFallbacks,
  'credit-expires': dropField('credit', true),
  'credit-needs-beta': fixCreditForm,
  'user-profile-conflict': dropField('remove-field', true),
  'sampling-rejected': fixSampling,
  'model-limit': fixModelLimit,
  'deprecated-field': fixDeprecatedField,
  'deprecated-model': fixModel,
  'unknown-model': fixModel,
  'stream-in-batch': dropField('drop-stream', true),
  'system-role': fixSystemRole,
  'empty-content': fixEmptyBlock,
  'tool-not-defined': fixName,
  'duplicate-tool': fixDoubledTool,
  'server-not-defined': fixName,
  'tool-pairs': fixToolPair,
  'picture-type': fixPicture,
  'cache-markers': fixCacheMarker,
  prefill: fixPrefill,
  'forced-tool-thinking': fixForcedTool,
  'emptied-thinking': dropItem('emptied-thinking', 'Remove empty block'),
  'output-format-twice': fixOutputFormatTwice,
  'personal-user-id': fixUserId,
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
