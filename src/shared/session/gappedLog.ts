import type { TranscriptEvent } from './event';

/** A gap: events may be missing before the one at `seq`. */
interface Gap {
  readonly key: string;
  readonly seq: number;
  readonly problem?: string | undefined;
}

/** Events and gaps, each in order. Several gaps can have the same position. */
export interface GappedLog {
  readonly events: readonly TranscriptEvent[];
  readonly gaps: readonly Gap[];
}

/** Returns the log with a gap replaced by the missing events. */
export function withGapFilled({ events, gaps }: GappedLog, gap: Gap, missed: readonly TranscriptEvent[]): GappedLog {
  const place = gaps.indexOf(gap);
  return {
    events: [...events.slice(0, gap.seq), ...missed, ...events.slice(gap.seq)],
    gaps: gaps
      .map(({ key, seq, problem }, index) => ({ key, seq: index < place ? seq : seq + missed.length, problem }))
      .filter((_, index) => index !== place),
  };
}

/** Returns the log with events inserted before the one at `seq`. A gap at that position stays before them. */
export function withInserted({ events, gaps }: GappedLog, seq: number, added: readonly TranscriptEvent[]): GappedLog {
  return {
    events: [...events.slice(0, seq), ...added, ...events.slice(seq)],
    gaps: gaps.map(({ key, seq: at, problem }) => ({ key, seq: at <= seq ? at : at + added.length, problem })),
  };
}

/** Returns the log with the event at `from` moved before the one at `to`. */
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
