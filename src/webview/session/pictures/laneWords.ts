import { toLabel } from '../../../shared/text';
import { toDuration } from '../controls/numbers';
import type { Translate } from '../panelContext';
import type { LaneKind, LaneSegment } from './laneModel';

/** What a kind of segment is called. */
export function toKindWord(kind: LaneKind, t: Translate): string {
  switch (kind) {
    case 'idle':
      return t('idle');
    case 'model':
      return t('model');
    case 'tool':
      return t('tool');
    case 'waiting':
      return t('waiting for you');
  }
}

/** A segment in one line: what, which, how long. */
export function toSegmentWords({ kind, name, from, to }: LaneSegment, panel: { t: Translate; locale: string }): string {
  const what = toKindWord(kind, panel.t);
  return [name === '' || name === what ? what : `${what}: ${toLabel(name)}`, toDuration(to - from, panel)].join(', ');
}
