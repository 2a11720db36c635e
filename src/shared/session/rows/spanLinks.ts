import { everything, scopeOf, stopOf, type TranscriptEvent, type TurnScope } from '../event';
import { numberOf, textOf } from '../eventFields';
import type { LinkedLog, RowSource } from './rowSource';

/** Links events to model requests, evaluations and runs. Each `link...` method takes the latest event, and returns its row's source. */
export class SpanLinks {
  readonly #openRequests = new Map<string, RowSource>();
  readonly #openEvaluations = new Map<string, RowSource>();
  readonly #runs = new Map<string, RowSource>();
  readonly #latest = new Map<string | undefined, RowSource>();

  constructor(private readonly log: LinkedLog) {}

  linkRequestStart(event: TranscriptEvent, seq: number, key: string): RowSource {
    // An interrupted request gets no end event. The next request shows that the earlier request has ended.
    const thread = this.log.threadAt(seq);
    for (const open of this.#openRequestsOf(thread)) {
      this.#cut(open, seq);
      this.#openRequests.delete(open.key);
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
    const start = startId === undefined ? this.#openRequestsOf(this.log.threadAt(seq)).at(-1) : this.log.ownerOf(this.log.indexOf(startId));
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
  linkCall(seq: number, call: RowSource): RowSource {
    const request = this.#latest.get(this.log.threadAt(seq));
    if (request !== undefined && request.call === undefined && call.seq === seq) {
      request.call = call;
      call.request = request;
    }
    return call;
  }

  linkEvaluation(event: TranscriptEvent, seq: number, key: string): RowSource {
    const evaluation = JSON.stringify([textOf(event.outcome_id), numberOf(event.iteration)]);
    const isStart = event.type === 'span.outcome_evaluation_start';
    const startId = textOf(event.outcome_evaluation_start_id) ?? '';
    const known = isStart ? undefined : (this.#openEvaluations.get(startId) ?? this.#openEvaluations.get(evaluation));
    const source = known ?? this.log.createSource(event, seq, key);
    if (known === undefined) {
      this.#openEvaluations.set(key, source);
      this.#openEvaluations.set(evaluation, source);
      if (this.log.isOver) {
        this.#cut(source, seq);
      }
    }
    if (event.type === 'span.outcome_evaluation_end') {
      source.end = seq;
      this.#openEvaluations.delete(source.key);
      this.#openEvaluations.delete(evaluation);
    } else if (!isStart) {
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

  /** Marks the open requests of an idle or ended session or thread as cut. Also marks open evaluations if the turn is over. */
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

  /** Marks the spans in scope as cut. The spans stay open, because some services report the end later. */
  #cutAll(spans: ReadonlyMap<string, RowSource>, isInScope: TurnScope, seq: number): void {
    for (const open of spans.values()) {
      if (isInScope(this.log.threadAt(open.seq))) {
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

  #openRequestsOf(thread: string | undefined): readonly RowSource[] {
    return [...this.#openRequests.values()].filter(({ seq }) => this.log.threadAt(seq) === thread);
  }
}
