import { toLabel } from '../text';
import type { TranscriptEvent } from './event';
import { listOf, millisecondsBetween, objectOf, textOf } from './eventFields';
import { toJsonPart, toParts, toSummary } from './parts';
import { momentAt, type RowContext, type RowSource, toRowBase } from './rowSource';
import type { ToolRow, ToolState } from './rows';

/** A tool call with all that is known of it by now. A result whose call is not in the log stands for itself. */
export function buildToolRow(source: RowSource, context: RowContext): ToolRow {
  const event = context.eventAt(source.seq);
  const again = source.again === undefined ? undefined : context.eventAt(source.again);
  const name = nameOf(event);
  const server = textOf(event.mcp_server_name);
  const input = toJsonPart(inputOf(event) ?? (again && inputOf(again)), context.limit);
  const permission = textOf(again?.evaluated_permission) ?? textOf(event.evaluated_permission);
  const confirmation = toConfirmation(source, context);
  const result = toResult(source, context);
  const durationMs = durationOf(source, context);
  const label = server === undefined ? name : `${server}: ${name}`;
  return {
    ...toRowBase(source, context, 'tool', toSummary(`${label} ${input.text.slice(0, 800)}`)),
    tool: toolKind(event.type),
    name,
    ...(server === undefined ? {} : { server: toLabel(server) }),
    input,
    ...(permission === undefined ? {} : { permission }),
    state: toState({ ...source, permission, denied: confirmation?.result === 'deny', isError: result?.isError === true }),
    ...(source.ask === undefined ? {} : { askSeq: source.ask, askId: source.askId }),
    ...(source.ended === undefined ? {} : { endedSeq: source.ended }),
    ...(confirmation === undefined ? {} : { confirmation }),
    ...(result === undefined ? {} : { result }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(again === undefined ? {} : { alsoKeys: [textOf(again.id) ?? ''] }),
  };
}

/** A call as it stood after event `seq`: what came later is not there yet. */
export function toolRowAt(row: ToolRow, seq: number): ToolRow {
  const { durationMs, result, confirmation, endedSeq, askSeq, askId, ...rest } = row;
  const hasResult = result !== undefined && result.seq <= seq;
  const isConfirmed = confirmation !== undefined && confirmation.seq <= seq;
  const isAsked = askSeq !== undefined && askSeq <= seq;
  const isEnded = endedSeq !== undefined && endedSeq <= seq;
  if (hasResult === (result !== undefined) && isConfirmed === (confirmation !== undefined) && isAsked === (askSeq !== undefined)) {
    if (isEnded === (endedSeq !== undefined)) {
      return row;
    }
  }
  return {
    ...rest,
    state: toState({
      ask: isAsked ? askSeq : undefined,
      confirmation: isConfirmed ? confirmation.seq : undefined,
      result: hasResult ? result.seq : undefined,
      ended: isEnded ? endedSeq : undefined,
      permission: row.permission,
      denied: isConfirmed && confirmation.result === 'deny',
      isError: hasResult && result.isError,
    }),
    ...(isAsked ? { askSeq, askId } : {}),
    ...(isEnded ? { endedSeq } : {}),
    ...(isConfirmed ? { confirmation } : {}),
    ...(hasResult ? { result, durationMs } : {}),
  };
}

/** Name of the tool as a label. */
export function nameOf(event: TranscriptEvent): string {
  return toLabel(textOf(event.name) ?? textOf(event.tool_name) ?? '');
}

/** Arguments of a call. */
export function inputOf(event: TranscriptEvent): unknown {
  return event.input ?? objectOf(listOf(event.content).find(block => objectOf(block)?.type === 'tool_use'))?.input;
}

interface StateFacts {
  readonly ask?: number;
  readonly confirmation?: number;
  readonly result?: number;
  readonly ended?: number;
  readonly permission: string | undefined;
  readonly denied: boolean;
  readonly isError: boolean;
}

function toState({ ask, confirmation, result, ended, permission, denied, isError }: StateFacts): ToolState {
  if (denied || permission === 'deny') {
    return 'denied';
  }
  if (result !== undefined) {
    return isError ? 'failed' : 'done';
  }
  if (ended !== undefined) {
    return 'interrupted';
  }
  return ask !== undefined && confirmation === undefined ? 'waiting' : 'running';
}

function toolKind(type: string): ToolRow['tool'] {
  return type.includes('mcp_tool') ? 'mcp' : type.includes('custom_tool') ? 'custom' : 'builtin';
}

function toConfirmation(source: RowSource, context: RowContext): ToolRow['confirmation'] {
  if (source.confirmation === undefined) {
    return undefined;
  }
  const event = context.eventAt(source.confirmation);
  const denyMessage = textOf(event.deny_message);
  return {
    result: textOf(event.result) ?? '',
    ...(denyMessage === undefined ? {} : { denyMessage }),
    seq: source.confirmation,
    at: momentAt(context, source.confirmation)?.ms,
  };
}

function toResult(source: RowSource, context: RowContext): ToolRow['result'] {
  if (source.result === undefined) {
    return undefined;
  }
  const event = context.eventAt(source.result);
  return {
    parts: toParts(event.content, context.limit),
    isError: event.is_error === true,
    seq: source.result,
    at: momentAt(context, source.result)?.ms,
  };
}

function durationOf(source: RowSource, context: RowContext): number | undefined {
  if (source.result === undefined || source.result === source.seq) {
    return undefined;
  }
  return millisecondsBetween(momentAt(context, source.confirmation ?? source.seq), momentAt(context, source.result));
}
