import type { Translate } from '../../../common/text/translate';
import { objectOf, textOf } from '../../../shared/session/eventFields';
import { inputOf } from '../../../shared/session/rows/buildToolRow';
import { toLabel } from '../../../shared/text';
import type { ConversedSession } from '../live/conversation';
import type { PanelSource } from '../live/panelSource';
import type { ApprovalRule, FieldPattern } from './ruleFiles';
import { decideByRules, type RuledAsk } from './decideByRules';
import { parseReadingCommand } from './readingCommands';

/** Describes in one line how a rule would have decided past asks if it had been on. Links are not resolved. */
export function describeTrial(rule: ApprovalRule, asks: readonly AnsweredAsk[], t: Translate): string {
  const decided = asks.filter(ask => decideByRules([{ ...rule, isOn: true }], ask).decides);
  const other = decided.filter(ask => ask.decided !== rule.result).length;
  if (decided.length === 0) {
    return asks.length === 0 ? '' : t('Matches none of your last {0} decisions', asks.length);
  }
  if (other > 0) {
    return rule.result === 'allow'
      ? t('Matches {0} of your last {1} decisions. You denied {2}.', decided.length, asks.length, other)
      : t('Matches {0} of your last {1} decisions. You allowed {2}.', decided.length, asks.length, other);
  }
  return rule.result === 'allow'
    ? t('Matches {0} of your last {1} decisions, all allowed', decided.length, asks.length)
    : t('Matches {0} of your last {1} decisions, all denied', decided.length, asks.length);
}

/** Describes the whole scope of a rule in one line. `agentName` is '' if it is not known. */
export function describeRule(rule: ApprovalRule, agentName: string, t: Translate): string {
  const [only, ...others] = rule.fields;
  const isExact = rule.fields.every(({ match }) => match === 'equals');
  const text = only?.match === 'equals' && typeof only.value === 'string' && others.length === 0 ? only.value : undefined;
  const fields =
    text === undefined ? rule.fields.map(pattern => describePattern(pattern, rule.result === 'deny', t)).join(' · ') : `\`${whole(text)}\``;
  const what = [whole(toolName(rule)), fields].filter(words => words !== '').join(' ');
  const agent = agentName === '' || rule.agent === undefined ? t('any agent') : whole(agentName);
  const where = [rule.connection, ...(rule.session === undefined ? [] : [rule.session])].map(whole).join(' · ');
  if (rule.result === 'deny') {
    return isExact
      ? t('Always deny {0} exactly, for {1}, in {2}', what, agent, where)
      : t('Always deny {0}, for {1}, in {2}', what, agent, where);
  }
  return isExact
    ? t('Always allow {0} exactly, for {1}, in {2}', what, agent, where)
    : t('Always allow {0}, for {1}, in {2}', what, agent, where);
}

function describePattern(pattern: FieldPattern, isDenying: boolean, t: Translate): string {
  const field = whole(pattern.field);
  switch (pattern.match) {
    case 'equals':
      return t('{0} is {1}', field, whole(JSON.stringify(pattern.value)));
    case 'command':
      return t(
        '{0} starts with {1} and uses only the options {2}, with any files and words',
        field,
        whole(pattern.words),
        parseReadingCommand(pattern.words)?.options ?? '',
      );
    case 'folder':
      return isDenying
        ? t('{0} is a path in {1}', field, whole(pattern.folder))
        : t('{0} is a file in {1}, except dot files, executables and files without an extension', field, whole(pattern.folder));
    case 'anything':
      return t('{0} has any value', field);
  }
}

/** Returns a text as one line, never cut. */
function whole(text: string): string {
  return toLabel(text, Number.POSITIVE_INFINITY);
}

/** Returns the name of a tool with its server. */
export function toolName({ tool, server }: { readonly tool: string; readonly server?: string | undefined }): string {
  return server === undefined ? tool : `${server} / ${tool}`;
}

/** An answered ask for permission. */
export interface AnsweredAsk extends RuledAsk {
  /** Name of the calling agent, or its ID. */
  readonly agentName: string;
  readonly decided: 'allow' | 'deny';
}

/** Returns the latest answered asks in the log of an open session, at most 500, oldest first. They are stored nowhere else. */
export function answeredAsks(
  session: Pick<ConversedSession, 'reference' | 'view' | 'transcript'> & { readonly described: Pick<PanelSource['described'], 'threads'> },
  service: string,
): readonly AnsweredAsk[] {
  const { reference, view, described } = session;
  const transcript = session.transcript('');
  const asks = (transcript?.events ?? []).flatMap((event): readonly AnsweredAsk[] => {
    const { type, tool_use_id: id, result: decided } = event;
    const call = type === 'user.tool_confirmation' && typeof id === 'string' ? transcript?.eventOf(id) : undefined;
    if (call === undefined || (decided !== 'allow' && decided !== 'deny')) {
      return [];
    }
    const thread = textOf(call.session_thread_id);
    const of = described.threads?.find(each => each.id === thread);
    const asking = of === undefined || of.parent_thread_id === null ? view.agent : objectOf(of.agent);
    const agent = textOf(asking?.id);
    return [
      {
        ...{ connection: reference.connection, service, session: reference.sessionId, agent, input: inputOf(call) },
        ...{ agentName: textOf(asking?.name) ?? agent ?? '', tool: textOf(call.name) ?? '', server: textOf(call.mcp_server_name), decided },
      },
    ];
  });
  return asks.slice(-500);
}
