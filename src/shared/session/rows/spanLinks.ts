import type { TranscriptEvent } from '../event';
import { numberOf, textOf } from '../eventFields';
import { type LinkedLog, type RowSource, threadOf } from './rowSource';

/**
 * Which events belong to one span: requests to the model and evaluations of outcomes, from their start to their end. Each
 * `link...` takes an event that came last, with its place and its key, and gives the source of the row that it is part of.
 */
export class SpanLinks {
  readonly #log: LinkedLog;
  readonly #openRequests = new Map<string, RowSource>();
  readonly #openEvaluations = new Map<string, RowSource>();

  constructor(log: LinkedLog) {
    this.#log = log;
  }

  linkRequestStart(event: TranscriptEvent, seq: number, key: string): RowSource {
    // A request that was cut off gets no end; the next one shows it.
    const thread = threadOf(event);
    for (const [id, open] of this.#openRequests) {
      if (threadOf(this.#log.eventAt(open.seq)) === thread) {
        open.end = seq;
        this.#log.dirty.add(open);
        this.#openRequests.delete(id);
      }
    }
    const source = this.#log.createSource(event, seq, key);
    this.#openRequests.set(key, source);
    return source;
  }

  linkRequestEnd(event: TranscriptEvent, seq: number, key: string): RowSource {
    const told = textOf(event.model_request_start_id);
    const place = told === undefined ? undefined : this.#log.placeOf(told);
    const start =
      (place === undefined ? undefined : this.#log.ownerOf(place)) ?? (told === undefined ? this.#lastOpenRequest(event) : undefined);
    const source = start !== undefined && this.#isWithoutEnd(start) ? start : this.#log.createSource(event, seq, key);
    source.end = seq;
    this.#openRequests.delete(source.key);
    this.#log.dirty.add(source);
    return source;
  }

  linkEvaluationStart(event: TranscriptEvent, seq: number, key: string): RowSource {
    const source = this.#log.createSource(event, seq, key);
    this.#openEvaluations.set(key, source);
    this.#openEvaluations.set(evaluationOf(event), source);
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
    this.#log.dirty.add(source);
    return source;
  }

  #isWithoutEnd({ seq, end }: RowSource): boolean {
    const isEnded = end !== undefined && this.#log.eventAt(end).type === 'span.model_request_end';
    return !isEnded && this.#log.eventAt(seq).type === 'span.model_request_start';
  }

  #lastOpenRequest(event: TranscriptEvent): RowSource | undefined {
    const thread = threadOf(event);
    let last: RowSource | undefined;
    for (const open of this.#openRequests.values()) {
      last = threadOf(this.#log.eventAt(open.seq)) === thread ? open : last;
    }
    return last;
  }
}

/** One evaluation: which outcome, which round. */
function evaluationOf(event: TranscriptEvent): string {
  return JSON.stringify([textOf(event.outcome_id), numberOf(event.iteration)]);
}
