import { jsonOf } from '../../shared/jsonOf';
import { objectOf } from '../../shared/session/eventFields';
import type { PanelState } from '../../shared/session/sessionProtocol';
import type { PanelMemory } from './panelContext';

interface StateHost<State> {
  getState(): State | undefined;
  setState(state: State): void;
}

/** State that survives a reload: the panel's content, as written into the page by the host, and small named texts. */
export class SavedState<State extends object = PanelState> implements PanelMemory {
  #state: State;

  /** `fromPage` is the state that the host wrote into the page, as JSON. This state takes precedence over the saved state. */
  constructor(
    private readonly host: StateHost<State>,
    fromPage: string | undefined,
  ) {
    this.#state = { ...host.getState(), ...objectOf(jsonOf(fromPage ?? '')) } as State;
    host.setState(this.#state);
  }

  get state(): State {
    return this.#state;
  }

  update(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes };
    this.host.setState(this.#state);
  }

  readonly get = (name: string): string | undefined => this.#memory().get(name);

  readonly set = (name: string, value: string | undefined): void => {
    const memory = this.#memory();
    // A text that is set again becomes the newest. The oldest texts are dropped.
    memory.delete(name);
    if (value !== undefined) {
      memory.set(name, value);
    }
    for (const oldest of [...memory.keys()].slice(0, Math.max(0, memory.size - maxNames))) {
      memory.delete(oldest);
    }
    this.update({ memory: Object.fromEntries(memory) } as unknown as Partial<State>);
  };

  #memory(): Map<string, string> {
    const { memory = {} } = this.#state as { readonly memory?: Readonly<Record<string, string>> };
    return new Map(Object.entries(memory));
  }
}

const maxNames = 200;
