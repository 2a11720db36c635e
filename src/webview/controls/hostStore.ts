import type { ToWebview } from '../../shared/session/sessionProtocol';
import { type LoadedParts, partId, type SendResults } from './panelContext';

/** State from the host of a panel. Listeners are called after each change. */
export abstract class HostStore<To> {
  readonly #listeners = new Set<() => void>();

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Applies a message from the host. Ignores messages of unknown types. */
  abstract receive(message: To): void;

  protected changed(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

/** State with the host's replies to sends and requests. A changed map is replaced by a new one. */
export abstract class ReplyStore<To> extends HostStore<To> {
  loadedParts: LoadedParts = new Map();
  sendResults: SendResults = new Map();

  protected takeReply(message: Extract<ToWebview, { readonly type: 'part' | 'sendResult' }>): void {
    if (message.type === 'part') {
      const { thread, key, path, type: _, ...part } = message;
      this.loadedParts = new Map([...this.loadedParts, [partId(thread, key, path), part]]);
    } else {
      const { clientId, type: _, ...result } = message;
      this.sendResults = new Map([...this.sendResults, [clientId, result]]);
    }
  }

  /** Deletes the loaded arguments of asks that changed or disappeared. Both maps have the arguments of the open asks, by event id. */
  protected forgetChangedAsks(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): void {
    const changed = [...before].filter(([eventId, print]) => now.get(eventId) !== print);
    const ids = new Set(changed.map(([eventId]) => partId('', eventId, 'ask')));
    if ([...ids].some(id => this.loadedParts.has(id))) {
      this.loadedParts = new Map([...this.loadedParts].filter(([id]) => !ids.has(id)));
    }
  }
}
