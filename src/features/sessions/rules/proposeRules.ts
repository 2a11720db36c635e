import { randomUUID } from 'node:crypto';
import type { Translate } from '../../../common/text/translate';
import { defined } from '../../../shared/defined';
import { isRecord } from '../../../shared/isRecord';
import { toLabel } from '../../../shared/text';
import { type AnsweredAsk, describeRule } from './describeRule';
import type { ApprovalRule, FieldPattern } from './ruleFiles';
import { decideByRules, type RuledAsk } from './decideByRules';
import { canBeFolder, isInFolder, isOrdinaryFile } from './folderPaths';
import { parseReadingCommand } from './readingCommands';

/** A rule that an ask offers, and its whole scope in one line. */
export interface ProposedRule {
  readonly rule: ApprovalRule;
  readonly scope: string;
}

/** Maximum length of a scope that a card shows in full, in characters. */
const longestScope = 4000;

/**
 * Returns the rules that an ask offers: allowing exactly this call comes first, then calls that only read or stay in a folder, then denying
 * it. No allowing rule permits programs other than those of this call. Throws if no rule can be made and shown in full.
 */
export function proposeRules(ask: RuledAsk, agentName: string, t: Translate): readonly ProposedRule[] {
  const matched = decideByRules([], ask);
  if (!isRecord(ask.input) || matched.decides || matched.why !== 'noRule') {
    throw new Error(t("Can't create a rule from this call."));
  }
  const exactly = Object.entries(ask.input).map(([field, value]) => ({ field, match: 'equals', value }) as FieldPattern);
  const wider = exactly.flatMap(pattern => {
    const other = pattern.match === 'equals' ? widerThan(ask, pattern.field, pattern.value) : undefined;
    return other === undefined ? [] : [exactly.map(each => (each === pattern ? other : each))];
  });
  const rules = [toRule(ask, 'allow', exactly), ...wider.map(fields => toRule(ask, 'allow', fields)), toRule(ask, 'deny', exactly)];
  const proposed = rules
    .map(rule => ({ rule, scope: describeRule(rule, agentName, t) }))
    .filter(({ scope }) => scope.length <= longestScope);
  if (proposed.length === 0) {
    throw new Error(t("Can't create a rule from this call."));
  }
  return proposed;
}

/** Returns a rule for calls like an ask, named after its pattern. The rule is turned on. */
function toRule(ask: RuledAsk, result: ApprovalRule['result'], fields: readonly FieldPattern[]): ApprovalRule {
  const [text] = fields.flatMap(pattern =>
    'words' in pattern ? [pattern.words] : 'folder' in pattern ? [pattern.folder] : 'value' in pattern ? [String(pattern.value)] : [],
  );
  const name = toLabel([ask.tool, text].filter(Boolean).join(' '), 60) || ask.tool.slice(0, 60);
  const { connection, service, agent, tool, server } = ask;
  return {
    ...{ version: 1, id: randomUUID(), name, isOn: true, result, connection, service, tool, fields: [...fields] },
    ...defined({ agent, server }),
    createdAt: new Date().toISOString(),
  };
}

/** Returns a pattern for similar values that run no other program: a command that only reads, or an ordinary file of the same folder. */
function widerThan({ tool, server }: RuledAsk, field: string, value: unknown): FieldPattern | undefined {
  if (typeof value !== 'string') {
    return undefined;
  }
  // Only the service's own `bash` tool is known to run its command in a shell.
  const reading = tool === 'bash' && server === undefined && field === 'command' ? parseReadingCommand(value) : undefined;
  if (reading !== undefined) {
    return { field, match: 'command', words: reading.program };
  }
  const folder = value.slice(0, Math.max(0, value.lastIndexOf('/')));
  return canBeFolder(folder) && isInFolder(value, folder) && isOrdinaryFile(value, '/') ? { field, match: 'folder', folder } : undefined;
}

/** The service's own tools that only read. Other tools are never suggested: their effect is unknown. */
const readingTools: ReadonlySet<string> = new Set(['read', 'glob', 'grep']);
const minAnswers = 20;
const minShare = 0.95;

/** Suggests a rule that allows every call of a reading tool for one agent, after at least 20 answers of which 95 % allowed the call. */
export function suggestRule(asks: readonly AnsweredAsk[], rules: readonly ApprovalRule[], t: Translate) {
  const groups = new Map<string, AnsweredAsk[]>();
  for (const ask of asks) {
    const { connection, service, agent, tool, server, input } = ask;
    if (readingTools.has(tool) && server === undefined && agent !== undefined && isRecord(input)) {
      const key = JSON.stringify([connection, service, agent, tool]);
      groups.set(key, [...(groups.get(key) ?? []), ask]);
    }
  }
  for (const all of groups.values()) {
    const [ask] = all;
    const allowed = all.filter(({ decided }) => decided === 'allow').length;
    if (
      ask === undefined ||
      all.length < minAnswers ||
      allowed < all.length * minShare ||
      all.every(one => decideByRules(rules, one).decides)
    ) {
      continue;
    }
    const names = new Set(all.flatMap(({ input }) => Object.keys(input as object)));
    const fields = [...names].map(field => ({ field, match: 'anything' }) as const);
    const rule = toRule(ask, 'allow', fields);
    return { rule, scope: describeRule(rule, ask.agentName, t), tool: ask.tool, allowed, total: all.length };
  }
  return undefined;
}
