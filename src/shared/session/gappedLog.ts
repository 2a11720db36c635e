import type { TranscriptEvent } from './event';

/** Where events may be missing: before the event at `seq`. */
interface Gap {
  readonly key: string;
  readonly seq: number;
  readonly problem?: string | undefined;
}

/** Events in order, and the gaps among them, in order too: several at one place stand one behind the other. */
export interface GappedLog {
  readonly events: readonly TranscriptEvent[];
  readonly gaps: readonly Gap[];
}

/** A log in which a gap gives way to what was missed there. */
export function withGapFilled({ events, gaps }: GappedLog, gap: Gap, missed: readonly TranscriptEvent[]): GappedLog {
  const place = gaps.indexOf(gap);
  return {
    events: [...events.slice(0, gap.seq), ...missed, ...events.slice(gap.seq)],
    gaps: gaps
      .map(({ key, seq, problem }, index) => ({ key, seq: index < place ? seq : seq + missed.length, problem }))
      .filter((_, index) => index !== place),
  };
}

/** A log with events more, before the one at `seq`; a gap at that place stays before them. */
export function withInserted({ events, gaps }: GappedLog, seq: number, added: readonly TranscriptEvent[]): GappedLog {
  return {
    events: [...events.slice(0, seq), ...added, ...events.slice(seq)],
    gaps: gaps.map(({ key, seq: at, problem }) => ({ key, seq: at <= seq ? at : at + added.length, problem })),
  };
}

/** A log in which the event at `from` stands before the one at `to`. */
export function withMoved({ events, gaps }: GappedLog, from: number, to: number): GappedLog {
  const seq = from < to ? to - 1 : to;
  const left = events.toSpliced(from, 1);
  return {
    events: [...left.slice(0, seq), ...events.slice(from, from + 1), ...left.slice(seq)],
    gaps: gaps.map(({ key, seq: at, problem }) => {
      const without = from < at ? at - 1 : at;
      return { key, seq: seq < without ? without + 1 : without, problem };
    }),
  };
}
