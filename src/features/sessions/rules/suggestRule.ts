import { isRecord } from '../../../shared/isRecord';
import type { AnsweredAsk } from './answeredAsks';
import type { ApprovalRule } from './approvalRule';
import { decideByRules } from './decideByRules';
import { toRule } from './proposeRules';

/** A rule for a tool whose calls were nearly always allowed. */
export interface SuggestedRule {
  readonly rule: ApprovalRule;
  readonly tool: string;
  readonly allowed: number;
  readonly total: number;
}

/** The service's own tools that only read. Other tools are never suggested: their effect is unknown. */
const readingTools: ReadonlySet<string> = new Set(['read', 'glob', 'grep']);
const minAnswers = 20;
const minShare = 0.95;

/** Suggests a rule that allows every call of a reading tool for one agent, after at least 20 answers of which 95 % allowed the call. */
export function suggestRule(asks: readonly AnsweredAsk[], rules: readonly ApprovalRule[]): SuggestedRule | undefined {
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
    return { rule: toRule(ask, 'allow', fields), tool: ask.tool, allowed, total: all.length };
  }
  return undefined;
}
