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
export function toRulePage(id: string, options: Pick<RuleOptions, 'severities' | 'raisedByFolder'>, t: Translate): string {
  if (!isRule(id)) {
    return `${t('There is no rule of this name.')}\n`;
  }
  const { title, finds, why, act } = rulePages[id];
  const present = presentSeverity(id, options);
  const own = ownSeverity(id);
  const severity =
    present === own
      ? t('Severity: {0}', toSeverityWord(present, t))
      : options.raisedByFolder?.includes(id) === true
        ? t("Severity: {0}, by this folder's settings. By itself: {1}", toSeverityWord(present, t), toSeverityWord(own, t))
        : t('Severity: {0}, by your settings. By itself: {1}', toSeverityWord(present, t), toSeverityWord(own, t));
  return `${[
    `# ${t(title)}`,
    `\`${id}\` · ${severity}`,
    `**${t('What it finds.')}** ${t(finds)}`,
    `**${t('Why.')}** ${t(why)}`,
    `**${t('What to do.')}** ${t(act)}`,
    t('Change its severity with the setting {0}.', '`managedAgents.rules`'),
  ].join('\n\n')}\n`;
}
