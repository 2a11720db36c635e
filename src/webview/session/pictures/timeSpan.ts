/** A span of time in milliseconds, or of positions on a folded axis. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Minimum visible span, in milliseconds. */
const shortest = 20;

/** Returns the span zoomed by `factor` (below 1: in) around a moment, within `whole`. */
export function zoomSpan(span: TimeSpan, whole: TimeSpan, factor: number, around: number): TimeSpan {
  const length = span.to - span.from;
  const longest = Math.max(shortest, whole.to - whole.from);
  const wanted = Math.min(longest, Math.max(shortest, length * factor));
  const share = length <= 0 ? 0.5 : Math.min(1, Math.max(0, (around - span.from) / length));
  const from = around - share * wanted;
  return withinWhole({ from, to: from + wanted }, whole);
}

/** Returns the span moved by `by` milliseconds, within `whole`. */
export function panSpan(span: TimeSpan, whole: TimeSpan, by: number): TimeSpan {
  return withinWhole({ from: span.from + by, to: span.to + by }, whole);
}

/** Returns the span moved as little as needed to show a stretch with a margin. Zooms out if the stretch is longer. */
export function spanShowing(span: TimeSpan, whole: TimeSpan, { from, to }: TimeSpan): TimeSpan {
  const length = span.to - span.from;
  if (from >= span.from && to <= span.to) {
    return span;
  }
  if (to - from > length * 0.8) {
    const room = (to - from) * 0.1;
    return withinWhole({ from: from - room, to: to + room }, whole);
  }
  return panSpan(span, whole, (from + to) / 2 - (span.from + span.to) / 2);
}

function withinWhole({ from, to }: TimeSpan, whole: TimeSpan): TimeSpan {
  const length = to - from;
  if (length >= whole.to - whole.from) {
    return whole.to - whole.from >= shortest ? whole : { from: whole.from, to: whole.from + shortest };
  }
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  return { from: start, to: start + length };
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map(count => count * second),
  ...[1, 2, 5, 10, 15, 30].map(count => count * minute),
  ...[1, 2, 4, 6, 12].map(count => count * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map(count => count * day),
];

/** Returns the smallest round step that puts at most `maxTicks` ticks into `length` milliseconds. */
export function toStep(length: number, maxTicks: number): number {
  const reached = Math.max(1, length);
  return steps.find(candidate => reached / candidate <= Math.max(1, maxTicks)) ?? Math.ceil(reached / Math.max(1, maxTicks));
}

/** Returns the moments of a span that are whole steps after `origin`. */
export function momentsEvery(step: number, span: TimeSpan, origin: number): readonly number[] {
  const moments: number[] = [];
  for (let at = Math.ceil((span.from - origin) / step) * step; at <= span.to - origin; at += step) {
    moments.push(origin + at);
  }
  return moments;
}

/** Formats the time since the start: `1:05`, `2:00:00`, `3 d 4:00:00`. Includes milliseconds if the step is that small. */
export function toOffset(milliseconds: number, step: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / second));
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor(whole / 3600) % 24;
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60) % 60;
  const time = hours > 0 || days > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
  const thousandths = step < second ? `.${String(Math.round(milliseconds) % 1000).padStart(3, '0')}` : '';
  return `${days > 0 ? `${days} d ` : ''}${time}${thousandths}`;
}
