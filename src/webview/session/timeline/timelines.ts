import type { PanelStore } from '../panelStore';
import { RowSearch } from './rowSearch';
import { TimelineModel } from './timelineModel';
import { kindOf } from '../../../shared/session/rows/rowKinds';
import type { Row } from '../../../shared/session/rows/rows';

/** State of a thread's timeline. The rows themselves belong to the store. */
export interface ThreadTimeline {
  readonly model: TimelineModel;
  readonly open: OpenRows;
  readonly search: RowSearch;
  readonly generation: number;
}

/** Timelines of the opened threads. They follow the store's rows. What the user opened or filtered survives a new snapshot. */
export class Timelines {
  readonly #store: PanelStore;
  readonly #now: () => number;
  readonly #byThread = new Map<string, ThreadTimeline>();

  constructor(store: PanelStore, now: () => number) {
    this.#store = store;
    this.#now = now;
    store.onDidSplice(spliced => {
      const known = this.#byThread.get(spliced.thread);
      if (known !== undefined && known.generation === store.thread(spliced.thread)?.generation) {
        known.model.takeSplice(spliced);
        known.search.takeSplice(spliced);
      }
    });
  }

  /** Returns the timeline of a thread; `undefined` until the host has sent it. */
  of(thread: string): ThreadTimeline | undefined {
    const state = this.#store.thread(thread);
    const known = this.#byThread.get(thread);
    if (state === undefined || known?.generation === state.generation) {
      return state === undefined ? undefined : known;
    }
    const made = {
      model: new TimelineModel(state.rows),
      open: known?.open ?? new OpenRows(),
      search: new RowSearch(state.rows, this.#now),
      generation: state.generation,
    };
    this.#byThread.set(thread, made);
    return made;
  }
}

/** Open rows of a thread, by key. */
export class OpenRows {
  readonly #isOpen = new Map<string, boolean>();

  isOpen(row: Row): boolean {
    return this.#isOpen.get(row.key) ?? kindOf(row).isOpenAtFirst === true;
  }

  setOpen(key: string, isOpen: boolean): void {
    this.#isOpen.set(key, isOpen);
  }
}
