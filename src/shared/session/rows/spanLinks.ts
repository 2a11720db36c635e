import type { TranscriptEvent } from '../event';
import { numberOf, textOf } from '../eventFields';
import { foreignThreadOf, type LinkedLog, type RowSource } from './rowSource';
import { stopOf } from './stops';
import { everything, scopeOf, type TurnScope } from './turnScope';

/**
 * Links events to spans: model requests and outcome evaluations, from start to end. Each `link...` method takes the latest event with its
 * index and key, and returns the source of the row that the event belongs to.
 */
export class SpanLinks {
  readonly #openRequests = new Map<string, RowSource>();
  readonly #openEvaluations = new Map<string, RowSource>();
  readonly #runs = new Map<string, RowSource>();
  readonly #latest = new Map<string | undefined, RowSource>();

  constructor(private readonly log: LinkedLog) {}

  linkRequestStart(event: TranscriptEvent, seq: number, key: string): RowSource {
    // A request that was cut off gets no end event. The next request shows that it ended.
    const thread = foreignThreadOf(event, this.log.shownThread);
    for (const [id, open] of this.#openRequests) {
      if (this.#threadOf(open) === thread) {
        this.#cut(open, seq);
        this.#openRequests.delete(id);
      }
    }
    const source = this.log.createSource(event, seq, key);
    this.#openRequests.set(key, source);
    this.#latest.set(thread, source);
    if (this.log.isOver) {
      this.#cut(source, seq);
    }
    return source;
  }

  linkRequestEnd(event: TranscriptEvent, seq: number, key: string): RowSource {
    const startId = textOf(event.model_request_start_id);
    const start = startId === undefined ? this.#lastOpenRequest(event) : this.log.ownerOf(this.log.indexOf(startId));
    const isStart = start !== undefined && start.end === undefined && this.log.eventAt(start.seq).type === 'span.model_request_start';
    const source = isStart ? start : this.log.createSource(event, seq, key);
    source.end = seq;
    this.#openRequests.delete(source.key);
    this.log.dirty.add(source);
    if (source.call !== undefined) {
      this.log.dirty.add(source.call);
    }
    return source;
  }

  /** Links a call to the request that made it, unless the request already has a call, or the event repeats an earlier call. */
  linkCall(event: TranscriptEvent, call: RowSource): RowSource {
    const request = this.#latest.get(foreignThreadOf(event, this.log.shownThread));
    const isFirst = this.log.eventAt(call.seq) === event;
    if (request !== undefined && request.call === undefined && isFirst) {
      request.call = call;
      call.request = request;
    }
    return call;
  }

  linkEvaluationStart(event: TranscriptEvent, seq: number, key: string): RowSource {
    const source = this.log.createSource(event, seq, key);
    this.#openEvaluations.set(key, source);
    this.#openEvaluations.set(evaluationOf(event), source);
    if (this.log.isOver) {
      this.#cut(source, seq);
    }
    return source;
  }

  linkEvaluation(event: TranscriptEvent, seq: number, key: string): RowSource {
    const start = textOf(event.outcome_evaluation_start_id);
    const open = (start === undefined ? undefined : this.#openEvaluations.get(start)) ?? this.#openEvaluations.get(evaluationOf(event));
    const source = open ?? this.linkEvaluationStart(event, seq, key);
    if (event.type === 'span.outcome_evaluation_end') {
      source.end = seq;
      this.#openEvaluations.delete(source.key);
      this.#openEvaluations.delete(evaluationOf(event));
    } else {
      source.progress ??= seq;
    }
    this.log.dirty.add(source);
    return source;
  }

  /** Links an event to the row of its workflow run. Returns `undefined` if no run was created. */
  linkRun(event: TranscriptEvent, seq: number, key: string): RowSource | undefined {
    const id = textOf(event.workflow_run_id);
    if (id === undefined) {
      return undefined;
    }
    const source = this.#runs.get(id) ?? this.log.createSource(event, seq, key);
    this.#runs.set(id, source);
    if (event.type === 'workflow_run.status_ended') {
      source.end ??= seq;
    }
    this.log.dirty.add(source);
    return source;
  }

  /** Ends the open requests of a session or thread that is idle or ended, and open evaluations if its turn is over. */
  linkRest(event: TranscriptEvent, seq: number): void {
    const isInScope = scopeOf(event, this.log.shownThread);
    this.#cutAll(this.#openRequests, isInScope, seq);
    if (stopOf(event)?.reason !== 'requires_action') {
      this.#cutAll(this.#openEvaluations, isInScope, seq);
    }
  }

  close(seq: number): void {
    this.#cutAll(this.#openRequests, everything, seq);
    this.#cutAll(this.#openEvaluations, everything, seq);
  }

  /** Marks the spans in scope as cut. They stay open, because some services report their end later. */
  #cutAll(spans: ReadonlyMap<string, RowSource>, isInScope: TurnScope, seq: number): void {
    for (const open of spans.values()) {
      if (isInScope(this.log.eventAt(open.seq))) {
        this.#cut(open, seq);
      }
    }
  }

  #cut(source: RowSource, seq: number): void {
    if (source.cut === undefined) {
      source.cut = seq;
      this.log.dirty.add(source);
    }
  }

  #lastOpenRequest(event: TranscriptEvent): RowSource | undefined {
    const thread = foreignThreadOf(event, this.log.shownThread);
    return [...this.#openRequests.values()].findLast(open => this.#threadOf(open) === thread);
  }

  #threadOf({ seq }: RowSource): string | undefined {
    return foreignThreadOf(this.log.eventAt(seq), this.log.shownThread);
  }
}

function evaluationOf(event: TranscriptEvent): string {
  return JSON.stringify([textOf(event.outcome_id), numberOf(event.iteration)]);
}
