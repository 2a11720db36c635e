import { defined } from '../../defined';
import { toLabel } from '../../text';
import type { TranscriptEvent } from '../event';
import { greater, listOf, millisecondsBetween, objectOf, textOf } from '../eventFields';
import { toRequestUsage } from '../facts/tokens';
import { toJsonPart, toParts, toSummary } from './parts';
import { placed, placedIfAny, type RowContext, type RowSource, toRow } from './rowSource';
import type { ToolRow, ToolState } from './rows';

/** Builds the row of a tool call from its events so far. A result without its call gets a row of its own. */
export function buildToolRow(source: RowSource, context: RowContext, event: TranscriptEvent): ToolRow {
  const again = source.again === undefined ? undefined : context.eventAt(source.again);
  const name = nameOf(event);
  const server = textOf(event.mcp_server_name);
  const input = toJsonPart(inputOf(event) ?? (again && inputOf(again)), context.limit);
  const decision = decisionOf(event) ?? (again && decisionOf(again));
  const permission = textOf(again?.evaluated_permission) ?? textOf(event.evaluated_permission) ?? decision?.result;
  const confirmation = toConfirmation(source, context);
  const result = toResult(source, context);
  const label = server === undefined ? name : `${server}: ${name}`;
  const tool = toolKind(event.type);
  const state = toState(source, permission, confirmation, result);
  const isOfClient = tool === 'custom';
  const end = source.request?.end;
  return toRow(source, context, 'tool', toSummary(`${label} ${input.text.slice(0, 800)}`), {
    ...{ tool, name, input, state },
    ...defined({
      server: server && toLabel(server),
      ...{ permission, decision, confirmation, result },
      askSeq: source.ask,
      askId: source.askId,
      ended: placedIfAny(source.ended, context),
      hold: source.held === undefined ? undefined : defined({ until: source.isHeld ? undefined : placedIfAny(source.released, context) }),
      alsoKeys: source.again === undefined ? undefined : [context.keyAt(source.again)],
      durationMs: isOfClient || state === 'denied' ? undefined : runTime(source, context),
      waitMs: waitTime(source, context, isOfClient),
      request: end === undefined ? undefined : { ...toRequestUsage(context.eventAt(end)), seq: end },
    }),
  });
}

/** Returns the service's own decision about a call, made by the policy `auto`. */
function decisionOf({ evaluation }: TranscriptEvent): ToolRow['decision'] {
  const evaluated = objectOf(objectOf(evaluation)?.evaluated_permission);
  const result = objectOf(evaluation)?.type === 'auto' ? textOf(evaluated?.type) : undefined;
  const reason = textOf(evaluated?.reason_code);
  return result === undefined ? undefined : { result, ...defined({ reason }) };
}

export function nameOf(event: TranscriptEvent): string {
  return toLabel(textOf(event.name) ?? textOf(event.tool_name) ?? '');
}

export function inputOf(event: TranscriptEvent): unknown {
  return event.input ?? objectOf(listOf(event.content).find(block => objectOf(block)?.type === 'tool_use'))?.input;
}

function toState(
  { ask, ended, isElsewhere, isHeld }: RowSource,
  permission: string | undefined,
  confirmation: ToolRow['confirmation'],
  result: ToolRow['result'],
): ToolState {
  if (confirmation?.result === 'deny' || permission === 'deny') {
    return 'denied';
  }
  if (result !== undefined) {
    return result.isError ? 'failed' : 'done';
  }
  if (ended !== undefined) {
    return isElsewhere ? 'elsewhere' : 'interrupted';
  }
  if (ask !== undefined && confirmation === undefined) {
    return 'waiting';
  }
  return isHeld ? 'held' : 'running';
}

function toolKind(type: string): ToolRow['tool'] {
  return type.includes('mcp_tool') ? 'mcp' : type.includes('custom_tool') ? 'custom' : 'builtin';
}

function toConfirmation({ confirmation: seq }: RowSource, context: RowContext): ToolRow['confirmation'] {
  if (seq === undefined) {
    return undefined;
  }
  const { result, deny_message } = context.eventAt(seq);
  return { result: textOf(result) ?? '', ...defined({ denyMessage: textOf(deny_message) }), ...placed(seq, context) };
}

function toResult({ result: seq }: RowSource, context: RowContext): ToolRow['result'] {
  if (seq === undefined) {
    return undefined;
  }
  const { content, is_error } = context.eventAt(seq);
  return { parts: toParts(content, context.limit), isError: is_error === true, ...placed(seq, context) };
}

/** Returns the run time of a call. It lasts from the call, or from the end of the call's last wait, to the result. */
function runTime({ seq, released, confirmation, result }: RowSource, context: RowContext): number | undefined {
  const from = greater(released, confirmation) ?? seq;
  return result === seq ? undefined : millisecondsBetween(context.momentAt(from), context.momentAt(result));
}

/** Returns the time in which the call waited for answers to this or other calls. */
function waitTime(
  { seq, ask, held, released, confirmation, result }: RowSource,
  context: RowContext,
  isOfClient: boolean,
): number | undefined {
  if (result === undefined || result === seq) {
    return undefined;
  }
  const [from, to] = isOfClient ? [seq, result] : [ask ?? held, greater(released, confirmation)];
  return millisecondsBetween(context.momentAt(from), context.momentAt(to));
}
