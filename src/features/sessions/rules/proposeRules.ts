import { randomUUID } from 'node:crypto';
import type { Translate } from '../../../common/text/translate';
import { defined } from '../../../shared/defined';
import { isRecord } from '../../../shared/isRecord';
import { nameOfTool } from '../../../shared/session/event';
import { objectOf, textOf } from '../../../shared/session/eventFields';
import { inputOf } from '../../../shared/session/rows/buildToolRow';
import { toLabel } from '../../../shared/text';
import type { ConversedSession } from '../live/conversation';
import type { PanelSource } from '../live/panelSource';
import { decideByRules, type RuledAsk } from './decideByRules';
import { canBeFolder, isInFolder, isOrdinaryFile } from './folderPaths';
import { parseReadingCommand } from './readingCommands';
import type { ApprovalRule, FieldPattern } from './ruleFiles';

/** A rule that an ask offers, and its whole scope in one line. */
export interface ProposedRule {
  readonly rule: ApprovalRule;
  readonly scope: string;
}

/** Maximum length of a scope that a card shows in full, in characters. */
const longestScope = 4000;

/**
 * Returns the rules that an ask offers. Allowing exactly this call comes first, then allowing calls that only read or stay in a folder,
 * then denying the call. No allowing rule permits programs other than the programs of this call. Throws if no rule can be made and shown in
 * full.
 */
export function proposeRules(ask: RuledAsk, agentName: string, t: Translate): readonly ProposedRule[] {
  if (!isRecord(ask.input) || decideByRules([], ask) === undefined) {
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

/**
 * Returns a pattern for similar values that run no other program. The pattern matches a command that only reads, or an ordinary file of the
 * same folder.
 */
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

/** The service's own tools that only read. Other tools are never suggested, because their effect is unknown. */
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
      all.every(one => decideByRules(rules, one)?.length)
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

/** Describes in one line how a rule would have decided past asks if it had been on. Links are not resolved. */
export function describeTrial(rule: ApprovalRule, asks: readonly AnsweredAsk[], t: Translate): string {
  const decided = asks.filter(ask => decideByRules([{ ...rule, isOn: true }], ask)?.length);
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
  const what = [whole(nameOfTool(rule)), fields].filter(words => words !== '').join(' ');
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

/** An answered ask for permission. */
export interface AnsweredAsk extends RuledAsk {
  /** Name of the calling agent, or its ID. */
  readonly agentName: string;
  readonly decided: 'allow' | 'deny';
}

/** Returns the latest answered asks in the log of an open session, at most 500, oldest first. The asks are stored nowhere else. */
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
