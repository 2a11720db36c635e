import { toLabel } from '../../text';
import type { TranscriptEvent } from '../event';
import { listOf, millisecondsBetween, objectOf, textOf } from '../eventFields';
import { toJsonPart, toParts, toSummary } from './parts';
import { type Mutable, type RowContext, type RowSource, toRow } from './rowSource';
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
  const label = server === undefined ? name : `${server}: ${name}`;
  const row: Mutable<ToolRow> = toRow(source, context, 'tool', toSummary(`${label} ${input.text.slice(0, 800)}`), {
    tool: toolKind(event.type),
    name,
    input,
    state: toState(source, permission, confirmation, result),
  });
  if (server !== undefined) {
    row.server = toLabel(server);
  }
  if (permission !== undefined) {
    row.permission = permission;
  }
  if (source.ask !== undefined && source.askId !== undefined) {
    row.askSeq = source.ask;
    row.askId = source.askId;
  }
  if (source.ended !== undefined) {
    row.endedSeq = source.ended;
    row.endedAt = context.momentAt(source.ended)?.ms;
  }
  if (confirmation !== undefined) {
    row.confirmation = confirmation;
  }
  if (result !== undefined) {
    row.result = result;
  }
  if (source.again !== undefined) {
    row.alsoKeys = [context.keyAt(source.again)];
    row.againSeq = source.again;
  }
  const durationMs = durationOf(source, context);
  if (durationMs !== undefined) {
    row.durationMs = durationMs;
  }
  return row;
}

/** A call as it stood after event `seq`: what came later is not there yet. */
export function toolRowAt(row: ToolRow, seq: number): ToolRow {
  const late = new Set<string>();
  for (const { placeOf, fields } of lateFields) {
    const place = placeOf(row);
    if (place !== undefined && place > seq) {
      for (const field of fields) {
        late.add(field);
      }
    }
  }
  if (late.size === 0) {
    return row;
  }
  const past = Object.fromEntries(Object.entries(row).filter(([field]) => !late.has(field))) as unknown as ToolRow;
  const state = toState({ ask: past.askSeq, ended: past.endedSeq }, past.permission, past.confirmation, past.result);
  return { ...past, state };
}

/** Fields that a row gets after its call, and where the event stands that brings them. */
const lateFields: readonly { readonly placeOf: (row: ToolRow) => number | undefined; readonly fields: readonly (keyof ToolRow)[] }[] = [
  { placeOf: row => row.againSeq, fields: ['againSeq', 'alsoKeys', 'permission'] },
  { placeOf: row => row.askSeq, fields: ['askSeq', 'askId'] },
  { placeOf: row => row.endedSeq, fields: ['endedSeq', 'endedAt'] },
  { placeOf: row => row.confirmation?.seq, fields: ['confirmation'] },
  { placeOf: row => row.result?.seq, fields: ['result', 'durationMs'] },
];

/** Name of the tool as a label. */
export function nameOf(event: TranscriptEvent): string {
  return toLabel(textOf(event.name) ?? textOf(event.tool_name) ?? '');
}

/** Arguments of a call. */
export function inputOf(event: TranscriptEvent): unknown {
  return event.input ?? objectOf(listOf(event.content).find(block => objectOf(block)?.type === 'tool_use'))?.input;
}

function toState(
  { ask, ended }: { readonly ask: number | undefined; readonly ended: number | undefined },
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
    at: context.momentAt(source.confirmation)?.ms,
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
    at: context.momentAt(source.result)?.ms,
  };
}

function durationOf(source: RowSource, context: RowContext): number | undefined {
  if (source.result === undefined || source.result === source.seq) {
    return undefined;
  }
  return millisecondsBetween(context.momentAt(source.confirmation ?? source.seq), context.momentAt(source.result));
}
