import type { Translate } from '../../../common/text/translate';
import type { Severity } from '../../../contract/problem';
import type { RuleOptions } from '../../../jsonl/rules/ruleOptions';
import { rulePages } from '../../../jsonl/rules/rulePages';
import { type RuleId, ruleTable } from '../../../jsonl/rules/ruleTable';
import { toSeverityWord } from './problemsPresentation';

export function isRule(id: string | undefined): id is RuleId {
  return id !== undefined && Object.hasOwn(ruleTable, id);
}

/** Returns the default severity of a rule. */
export function ownSeverity(rule: RuleId): Severity {
  return ruleTable[rule].severity;
}

/** Returns the current severity of a rule. */
export function presentSeverity(rule: RuleId, { severities }: Pick<RuleOptions, 'severities'>): Severity | 'off' {
  return (Object.hasOwn(severities, rule) ? severities[rule] : undefined) ?? ownSeverity(rule);
}

/** Returns the page of a rule as Markdown. */
export function toRulePage(id: string, options: Pick<RuleOptions, 'severities'>, t: Translate): string {
  if (!isRule(id)) {
    return `${t('{0} not found', id)}\n`;
  }
  const { title, text } = rulePages[id];
  const present = toSeverityWord(presentSeverity(id, options), t);
  const own = toSeverityWord(ownSeverity(id), t);
  const severity = present === own ? t('Severity: {0}', present) : t('Severity: {0} (default: {1})', present, own);
  return `# ${t(title)}\n\n\`${id}\` · ${severity}\n\n${t(text)}\n\n${t('Change its severity with the setting {0}.', '`managedAgents.rules`')}\n`;
}
