import { useMemo, useState } from 'preact/hooks';
import type { QuietStretch } from '../../../shared/session/facts/quietStretches';
import { useRememberedFlag } from '../controls/remembered';
import { TimeFolds } from './timeFolds';
import type { TimeSpan } from './timeSpan';

interface FoldControl {
  readonly folds: TimeFolds;
  readonly isFolding: boolean;
  /** Folds all long waits, or none. */
  readonly setFolding: (isOn: boolean) => void;
  /** Unfolds one, or folds it again. */
  readonly toggle: (wait: QuietStretch) => void;
}

/** Which long waits of a picture are folded: all or none, as it was left, but for those that were turned by hand. */
export function useTimeFolds(quiet: readonly QuietStretch[], whole: TimeSpan): FoldControl {
  const [isFolding, remember] = useRememberedFlag('foldWaits', true);
  // A wait that goes on grows: where it began is what tells it.
  const [turned, setTurned] = useState<ReadonlySet<number>>(new Set());
  const folds = useMemo(() => new TimeFolds(whole, quiet, ({ from }) => isFolding === turned.has(from)), [whole, quiet, isFolding, turned]);
  return {
    folds,
    isFolding,
    setFolding: isOn => {
      setTurned(new Set());
      remember(isOn);
    },
    toggle: ({ from }) => setTurned(before => new Set(before.has(from) ? [...before].filter(other => other !== from) : [...before, from])),
  };
}
