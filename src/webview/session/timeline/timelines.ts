import type { PanelStore } from '../panelStore';
import { RowSearch } from '../toolbar/rowSearch';
import { OpenRows } from './openRows';
import { TimelineModel } from './timelineModel';

/** What the panel keeps of each thread beside its rows. */
export interface ThreadTimeline {
  readonly model: TimelineModel;
  readonly open: OpenRows;
  readonly search: RowSearch;
  readonly generation: number;
}

/** The timelines of the threads that were opened. They follow the store's rows; what the user did to rows outlives a new snapshot. */
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

  /** The timeline of a thread; undefined until the host has told of it. */
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
