import type { Translate } from '../../../common/text/translate';
import { toLabel, toVisibleText } from '../../../shared/text';
import type { AnsweredAsk } from './answeredAsks';
import type { ApprovalRule, FieldPattern } from './approvalRule';
import { decideByRules, type RuleVerdict } from './decideByRules';
import { parseReadingCommand } from './readingCommands';

/** An answered ask and the decision that a rule would have made. */
export interface TriedAsk {
  readonly ask: AnsweredAsk;
  readonly verdict: RuleVerdict;
}

/** Result of trying a rule on answered asks. */
export interface RuleTrial {
  readonly rule: ApprovalRule;
  readonly tried: readonly TriedAsk[];
  /** Counts of the asks that it would have decided with the result of their answer, and with the other result. */
  readonly same: number;
  readonly other: number;
}

/** Tries a single rule on answered asks, as if it had been on. Links are not resolved: the asks are past. */
export function tryRule(rule: ApprovalRule, asks: readonly AnsweredAsk[]): RuleTrial {
  const on = [{ ...rule, isOn: true }];
  const tried = asks.map(ask => ({ ask, verdict: decideByRules(on, ask) }));
  const decided = tried.filter(({ verdict }) => verdict.decides);
  const same = decided.filter(({ ask }) => ask.decided === rule.result).length;
  return { rule, tried, same, other: decided.length - same };
}

/** A trial in one sentence. */
export function describeTrial({ rule, tried, same, other }: RuleTrial, t: Translate): string {
  if (tried.length === 0) {
    return t('No ask was answered in an open session: there is nothing to try the rule on.');
  }
  const left = tried.length - same - other;
  return rule.result === 'allow'
    ? t(
        'Of {0} asks answered in open sessions it would have allowed {1} that were allowed and {2} that were denied, and left {3} to you.',
        tried.length,
        same,
        other,
        left,
      )
    : t(
        'Of {0} asks answered in open sessions it would have denied {1} that were denied and {2} that were allowed, and left {3} to you.',
        tried.length,
        same,
        other,
        left,
      );
}

/** A trial as a Markdown document: what differs first, then what is the same, then what stays with you. */
export function presentTrial(trial: RuleTrial, t: Translate): string {
  const { rule, tried } = trial;
  const decided = tried.filter(({ verdict }) => verdict.decides);
  const parts = [
    { title: t('Differs from the answer'), asks: decided.filter(({ ask }) => ask.decided !== rule.result) },
    { title: t('Same as the answer'), asks: decided.filter(({ ask }) => ask.decided === rule.result) },
    { title: t('Left to you'), asks: tried.filter(({ verdict }) => !verdict.decides) },
  ];
  const lines = [`# ${toLabel(rule.name)}`, '', ...describeRule(rule, t).map(line => `- ${line}`), '', describeTrial(trial, t)];
  for (const { title, asks } of parts) {
    lines.push('', `## ${title} (${asks.length})`, ...asks.flatMap(each => presentAsk(each, t)));
  }
  return `${lines.join('\n')}\n`;
}

function presentAsk({ ask, verdict }: TriedAsk, t: Translate): readonly string[] {
  const answer = ask.decided === 'allow' ? t('It was allowed.') : t('It was denied.');
  const why =
    verdict.decides || verdict.why === 'noRule'
      ? ''
      : ` ${verdict.why === 'notWhole' ? t('Its arguments are not whole.') : t('It holds hidden characters.')}`;
  const input = toVisibleText(ask.input === undefined ? '' : JSON.stringify(ask.input, null, 2)).slice(0, 2000);
  // Four blanks make code of it, whatever is in it.
  const code = input.split('\n').map(line => `    ${line}`);
  return [
    '',
    `### ${toLabel(toolName(ask))} · ${toLabel(ask.at)}`,
    '',
    `${answer}${why} ${t('Session {0}', toLabel(ask.session))}`,
    '',
    ...code,
  ];
}

/** Describes in full what a rule decides, one sentence per line. */
export function describeRule(rule: ApprovalRule, t: Translate): readonly string[] {
  const tool = whole(toolName(rule));
  const does =
    rule.result === 'deny'
      ? t('Always denies {0}', tool)
      : rule.session === undefined
        ? t('Always allows {0}', tool)
        : t('Allows {0} in session {1}', tool, whole(rule.session));
  const agent = rule.agent === undefined ? t('any agent') : t('agent {0}', whole(rule.agent));
  return [
    `${does} · ${whole(rule.connection)} · ${agent}`,
    ...rule.fields.map(pattern => describePattern(pattern, rule.result === 'deny', t)),
  ];
}

/** Describes in full which values a pattern matches. */
export function describePattern(pattern: FieldPattern, isDenying: boolean, t: Translate): string {
  const field = whole(pattern.field);
  switch (pattern.match) {
    case 'equals':
      return t('{0} is {1}', field, whole(JSON.stringify(pattern.value)));
    case 'command':
      return t(
        '{0} is one command that begins with {1}, with any files and words, and no options but {2}',
        field,
        whole(pattern.words),
        parseReadingCommand(pattern.words)?.options ?? '',
      );
    case 'anyArguments':
      return t(
        '{0} is one command that begins with {1}, with any arguments, including ones that run other programs',
        field,
        whole(pattern.words),
      );
    case 'folder':
      return isDenying
        ? t('{0} is a path in {1}', field, whole(pattern.folder))
        : t('{0} is a file in {1}, but no dot file, no executable, and none without an extension', field, whole(pattern.folder));
    case 'contains':
      return t('{0} contains {1}', field, whole(pattern.text));
    case 'anything':
      return t('{0} is anything', field);
  }
}

/** Returns a text as one line, never cut. */
function whole(text: string): string {
  return toLabel(text, Number.POSITIVE_INFINITY);
}

/** A tool with its server, as a person says it. */
export function toolName({ tool, server }: { readonly tool: string; readonly server?: string | undefined }): string {
  return server === undefined ? tool : `${server} / ${tool}`;
}
