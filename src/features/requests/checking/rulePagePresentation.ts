import type { Translate } from '../../../common/text/translate';
import type { RuleOptions } from '../../../jsonl/rules/ruleOptions';
import { rulePages } from '../../../jsonl/rules/rulePages';
import { type RuleId, ruleTable } from '../../../jsonl/rules/ruleTable';
import { toSeverityWord } from './problemsPresentation';

export function isRule(id: string | undefined): id is RuleId {
  return id !== undefined && Object.hasOwn(ruleTable, id);
}

/** Returns the page of a rule as Markdown. */
export function toRulePage(id: string, options: Pick<RuleOptions, 'severities'>, t: Translate): string {
  if (!isRule(id)) {
    return `${t('{0} not found', id)}\n`;
  }
  const { title, text } = rulePages[id];
  const own = toSeverityWord(ruleTable[id].severity, t);
  const changed = Object.hasOwn(options.severities, id) ? options.severities[id] : undefined;
  const present = changed === undefined ? own : toSeverityWord(changed, t);
  const severity = present === own ? t('Severity: {0}', present) : t('Severity: {0} (default: {1})', present, own);
  return `# ${t(title)}\n\n\`${id}\` · ${severity}\n\n${t(text)}\n\n${t('Change its severity with the setting {0}.', '`managedAgents.rules`')}\n`;
}
