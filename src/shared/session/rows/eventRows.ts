import { defined } from '../../defined';
import { maskSecrets } from '../../maskedJson';
import { toLabel } from '../../text';
import { deliveryOf } from '../deliveries';
import {
  callTypes,
  errorOf,
  evaluationTypes,
  forTypes,
  refusalOf,
  resultTypes,
  runTypes,
  stopOf,
  type TranscriptEvent,
  threadOf,
} from '../event';
import { millisecondsBetween, numberOf, objectOf, textOf, timeFields } from '../eventFields';
import { toMoney, toRequestUsage, toTokens } from '../facts/tokens';
import { buildToolRow } from './buildToolRow';
import { noteEventTypes } from './noteEvents';
import { textOfParts, toJsonPart, toParts, toSummary, toTextPart } from './parts';
import { placedIfAny, type RowBuilder, type RowContext, type RowSource, toRow } from './rowSource';
import type { ErrorRow, MessageRow, ModelRow, NoteRow, OutcomeRow, Part, Row, StatusRow, ThinkingRow, ThreadRow } from './rows';

/** Row builders by event type. Events of other types are shown as JSON. */
const builders: ReadonlyMap<string, RowBuilder> = new Map<string, RowBuilder>([
  ['user.message', toMessage('user')],
  ['agent.message', toMessage('agent')],
  ['system.message', toMessage('system')],
  ['agent.thinking', buildThinkingRow],
  ...forTypes([...callTypes, ...resultTypes], buildToolRow),
  ['user.tool_confirmation', buildStrayConfirmation],
  ['user.interrupt', toStatus('interrupt')],
  ...['running', 'idle', 'rescheduled', 'terminated'].flatMap(status =>
    forTypes([`session.status_${status}`, `session.thread_status_${status}`], toStatus(status)),
  ),
  ['session.deleted', toStatus('deleted')],
  ['session.error', buildErrorRow],
  ['session.updated', buildUpdateRow],
  ['session.usage', buildUsageRow],
  ...forTypes(noteEventTypes, buildNoteRow),
  ['session.thread_created', buildThreadCreatedRow],
  ['agent.thread_message_sent', toThreadMessage('sent')],
  ['agent.thread_message_received', toThreadMessage('received')],
  ['user.define_outcome', buildOutcomeRow],
  ...forTypes(evaluationTypes, buildEvaluationRow),
  ...forTypes(runTypes, buildRunRow),
  ['workflow_run.error', buildRunErrorRow],
  ['span.model_request_start', buildModelRow],
  ['span.model_request_end', buildModelRow],
]);

export const knownEventTypes: readonly string[] = [...builders.keys()];

/** Event type of a gap, where events may be missing. */
export const gapEventType = 'export.gap';

export function builderOf(type: string): RowBuilder {
  return builders.get(type) ?? (type === gapEventType ? buildGapRow : buildUnknownRow);
}

function buildGapRow(source: RowSource, context: RowContext, event: TranscriptEvent): Row {
  const problem = textOf(event.problem) ?? '';
  return toRow(source, context, 'gap', toSummary(problem), { type: '', problem });
}

/** Returns the content of a message in any dialect. */
export function contentOf(event: TranscriptEvent): unknown {
  return event.content ?? objectOf(event.message)?.content ?? event.text;
}

function toMessage(kind: MessageRow['kind']): RowBuilder {
  return (source, context, event) => {
    const parts = toParts(contentOf(event), context.limit);
    return toRow(source, context, kind, toSummary(textOfParts(parts)), {
      parts,
      ...(kind !== 'agent' && { delivery: deliveryOf(source, context) }),
    });
  };
}

function buildThinkingRow(source: RowSource, context: RowContext, event: TranscriptEvent): ThinkingRow {
  const parts = toParts(contentOf(event), context.limit);
  const thread = context.threadAt(source.seq);
  let before = source.seq - 1;
  while (before >= 0 && context.threadAt(before) !== thread) {
    before--;
  }
  const durationMs = millisecondsBetween(context.momentAt(before), context.momentAt(source.seq)) || undefined;
  return toRow(source, context, 'thinking', toSummary(textOfParts(parts)), { parts, ...defined({ durationMs }) });
}

function buildStrayConfirmation(source: RowSource, context: RowContext, event: TranscriptEvent): MessageRow {
  const { tool_use_id, result, deny_message } = event;
  const parts = [toJsonPart({ tool_use_id, result, ...(deny_message == null ? {} : { deny_message }) }, context.limit)];
  const summary = `${textOf(result) ?? ''} ${textOf(tool_use_id) ?? ''}`;
  return toRow(source, context, 'user', toSummary(summary), { parts, delivery: deliveryOf(source, context) });
}

function toStatus(status: string): RowBuilder {
  return (source, context, event): StatusRow => {
    const stop = stopOf(event);
    const thread = threadOf(event);
    const agentName =
      textOf(event.agent_name) ??
      (event.type.startsWith('session.thread_') && thread !== undefined ? context.agentNameOf(thread) : undefined);
    return toRow(source, context, 'status', toSummary(`${agentName ?? ''} ${status} ${stop?.reason ?? ''}`), {
      status,
      ...defined({ stopReason: stop?.reason, refusal: refusalOf(event), agentName: agentName && toLabel(agentName) }),
    });
  };
}

function buildErrorRow(source: RowSource, context: RowContext, event: TranscriptEvent): ErrorRow {
  const error = objectOf(event.error);
  const { type: _type, message: _message, retry_status: _retry, ...more } = error ?? {};
  const { type, message: words, retry } = errorOf(event);
  const errorType = toLabel(type);
  return toRow(source, context, 'error', toSummary(words || errorType), {
    ...{ errorType, message: words },
    ...defined({ retry, details: Object.keys(more).length === 0 ? undefined : toJsonPart(maskSecrets(more), context.limit) }),
  });
}

/** Builds the row of a model request. A request without an end event ends at the event that stopped it. */
function buildModelRow(source: RowSource, context: RowContext, event: TranscriptEvent): ModelRow {
  const end = source.end === undefined ? undefined : context.eventAt(source.end);
  const model = textOf((end ?? event).model);
  return toRow(source, context, 'model', model === undefined ? '' : toLabel(model), {
    isError: end?.is_error === true,
    ...toRequestUsage(end),
    ...defined({
      end: placedIfAny(source.end ?? source.cut, context),
      durationMs: source.end === source.seq ? undefined : millisecondsBetween(context.momentAt(source.seq), context.momentAt(source.end)),
      model,
    }),
  });
}

/** Metadata fields of an event, as opposed to its content. */
const envelope = new Set(['id', 'type', 'uuid', 'session_id', 'session_thread_id', 'seq', ...timeFields]);

function toDetails(event: TranscriptEvent, limit: number): Part | undefined {
  const fields = Object.entries(event).filter(([field]) => !envelope.has(field));
  return fields.length === 0 ? undefined : toJsonPart(maskSecrets(Object.fromEntries(fields)), limit);
}

function toNote(kind: NoteRow['kind'], source: RowSource, context: RowContext, summary: string): NoteRow {
  const details = toDetails(context.eventAt(source.seq), context.limit);
  return toRow(source, context, kind, toSummary(summary), defined({ details }));
}

function buildNoteRow(source: RowSource, context: RowContext, event: TranscriptEvent): NoteRow {
  const text = textOf(event.text);
  const row = toNote('note', source, context, text ?? '');
  return text === undefined ? row : { ...row, details: toTextPart(text, context.limit) };
}

function buildUpdateRow(source: RowSource, context: RowContext, event: TranscriptEvent): NoteRow {
  const fields = Object.keys(event).filter(field => !envelope.has(field));
  const row = toNote('update', source, context, textOf(event.title) ?? fields.join(', '));
  return event.agent === undefined ? row : { ...row, changesAgent: true };
}

function buildUsageRow(source: RowSource, context: RowContext, { usage }: TranscriptEvent): NoteRow {
  const used = defined({ tokens: toTokens(usage), cost: toMoney(objectOf(usage)?.list_cost) });
  return Object.assign(toNote('usage', source, context, ''), used);
}

function buildThreadCreatedRow(source: RowSource, context: RowContext, event: TranscriptEvent): ThreadRow {
  const agentName = toLabel(textOf(event.agent_name) ?? '');
  const prompt = textOf(event.prompt);
  const parts = prompt === undefined ? [] : [toTextPart(prompt, context.limit)];
  const own = { step: 'created' as const, otherThread: threadOf(event) ?? '', agentName, parts };
  // The thread named by the event is its subject, not its origin.
  const { thread: _, ...row } = { thread: undefined, ...toRow(source, context, 'thread', toSummary(prompt ?? agentName), own) };
  return row;
}

function toThreadMessage(step: 'sent' | 'received'): RowBuilder {
  return (source, context, event): ThreadRow => {
    const otherThread = textOf(step === 'sent' ? event.to_session_thread_id : event.from_session_thread_id) ?? '';
    const name = textOf(step === 'sent' ? event.to_agent_name : event.from_agent_name);
    const agentName = toLabel(name ?? context.agentNameOf(otherThread) ?? '');
    const parts = toParts(contentOf(event), context.limit);
    return toRow(source, context, 'thread', toSummary(textOfParts(parts) || agentName), { step, otherThread, agentName, parts });
  };
}

function buildOutcomeRow(source: RowSource, context: RowContext, event: TranscriptEvent): OutcomeRow {
  const description = textOf(event.description) ?? '';
  return toRow(source, context, 'outcome', toSummary(description), {
    step: 'defined',
    outcomeId: textOf(event.outcome_id) ?? '',
    description,
    ...defined({ rubric: toRubric(event.rubric, context.limit), maxIterations: numberOf(event.max_iterations) }),
    delivery: deliveryOf(source, context),
  });
}

function toRubric(value: unknown, limit: number): Part | undefined {
  const rubric = objectOf(value);
  const text = textOf(rubric?.content) ?? textOf(value);
  return text !== undefined ? toTextPart(text, limit) : rubric === undefined ? undefined : toJsonPart(rubric, limit);
}

function buildEvaluationRow(source: RowSource, context: RowContext, event: TranscriptEvent): OutcomeRow {
  const end = source.end === undefined ? undefined : context.eventAt(source.end);
  const result = textOf(end?.result);
  const explanation = textOf(end?.explanation);
  const { progress, cut } = source;
  return toRow(source, context, 'outcome', toSummary([result, explanation].filter(word => word !== undefined).join(': ')), {
    step: end !== undefined ? 'ended' : cut !== undefined ? 'cut' : progress !== undefined ? 'ongoing' : 'started',
    outcomeId: textOf(event.outcome_id) ?? textOf(end?.outcome_id) ?? '',
    ...defined({ iteration: numberOf(event.iteration) ?? numberOf(end?.iteration), result, explanation }),
    ...defined({ end: placedIfAny(source.end, context) }),
  });
}

/** Builds the row of a workflow run. Its first events may not have been read. */
function buildRunRow(source: RowSource, context: RowContext, event: TranscriptEvent): Row {
  const runId = textOf(event.workflow_run_id);
  if (runId === undefined) {
    return buildUnknownRow(source, context, event);
  }
  const end = source.end === undefined ? undefined : context.eventAt(source.end);
  const name = toLabel(textOf(event.name) ?? '');
  const result = end && (textOf(objectOf(end.result)?.type) ?? 'completed');
  return toRow(source, context, 'run', toSummary(name), { runId, name, ...defined({ result }) });
}

/** Builds the row of an error of a workflow run, or of a run that could not be created. */
function buildRunErrorRow(source: RowSource, context: RowContext, event: TranscriptEvent): Row {
  const build = textOf(event.workflow_run_id) === undefined ? buildErrorRow : buildRunRow;
  return build(source, context, event);
}

function buildUnknownRow(source: RowSource, context: RowContext, event: TranscriptEvent): Row {
  return toRow(source, context, 'unknown', toSummary(event.type), { json: toJsonPart(maskSecrets(event), context.limit) });
}
