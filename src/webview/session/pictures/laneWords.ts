import type { LaneSegment, Lanes } from '../../../shared/session/facts/lanes';
import type { QuietStretch } from '../../../shared/session/facts/quietStretches';
import type { Translate } from '../../../shared/session/translateText';
import { toLabel } from '../../../shared/text';
import { toDuration } from '../../controls/numbers';

/** Returns the name of a segment kind. */
export function toKindWord(kind: LaneSegment['kind'], t: Translate): string {
  switch (kind) {
    case 'idle':
      return t('idle');
    case 'running':
      return t('running');
    case 'model':
      return t('model');
    case 'tool':
      return t('tool');
    case 'waiting':
      return t('waiting for you');
  }
}

/** Returns what a long wait was for. */
export function toWaitWords({ isWaiting }: QuietStretch, t: Translate): string {
  return isWaiting ? t('waiting for you') : t('nothing happened');
}

/** Describes a segment in one line: its kind, its name, and how long it took, or its first and last event. */
export function toSegmentWords(
  { kind, from, to }: LaneSegment,
  name: string,
  axis: Lanes['axis'],
  panel: { t: Translate; locale: string },
): string {
  const { t } = panel;
  const what = toKindWord(kind, t);
  const length = axis === 'time' ? toDuration(to - from, panel) : t('events {0} to {1}', from + 1, to + 1);
  return [name === '' ? what : `${what}: ${toLabel(name)}`, length].join(', ');
}
