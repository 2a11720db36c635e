import { jsonOf } from '../../../shared/jsonOf';
import { numberOf, objectOf } from '../../../shared/session/eventFields';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SavedState } from '../../controls/savedState';
import type { TimelineModel } from './timelineModel';
import type { Timeline } from './timelineView';

/** Time without scrolling after which the position is saved, in milliseconds. */
const rest = 250;

interface PositionOptions {
  readonly list: RefObject<Timeline | null>;
  readonly saved: SavedState;
  readonly thread: string;
  readonly model: TimelineModel | undefined;
}

/**
 * Restores the scroll position of a thread after a reload, once its rows are loaded. Returns a function that saves the current position.
 */
export function useSavedPosition({ list, saved, thread, model }: PositionOptions): () => void {
  const toRestore = useRef<string | undefined>(undefined);
  const restored = useRef(new WeakSet<TimelineModel>());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    toRestore.current = undefined;
    if (model !== undefined && !restored.current.has(model)) {
      restored.current.add(model);
      toRestore.current = saved.get(`place ${thread}`);
    }
  }, [model]);
  useEffect(() => {
    if (toRestore.current !== undefined && model?.restore(readAnchor(toRestore.current)) === true) {
      toRestore.current = undefined;
      list.current?.forceUpdate();
    }
  });
  return () => {
    toRestore.current = undefined;
    clearTimeout(timers.current.get(thread));
    const timer = setTimeout(() => {
      const anchor = model?.savedAnchor;
      saved.set(`place ${thread}`, anchor === undefined ? undefined : JSON.stringify(anchor));
    }, rest);
    timers.current.set(thread, timer);
  };
}

function readAnchor(json: string): { readonly key: string; readonly offset: number } {
  const { key, offset } = objectOf(jsonOf(json)) ?? {};
  return { key: String(key ?? ''), offset: numberOf(offset) ?? 0 };
}
