import type { InboxView, OfferedRule, ToInbox } from '../../shared/inbox/inboxProtocol';
import { type LoadedParts, partId, type SendResults } from '../controls/panelContext';

/** Item that the host wants to show. A new object for each request. */
export interface ShowRequest {
  /** `undefined` for the first item. */
  readonly id: string | undefined;
}

/** Latest state from the host. Every change replaces it. */
export class InboxStore {
  view: InboxView | undefined;
  loadedParts: LoadedParts = new Map();
  sendResults: SendResults = new Map();
  show: ShowRequest | undefined;
  /** The rules that an ask offers, with its id. */
  rules: { readonly eventId: string; readonly rules: readonly OfferedRule[] } | undefined;
  readonly #listeners = new Set<() => void>();

  /** Handles a message from the host. Unknown types are ignored. */
  receive(message: ToInbox): void {
    switch (message.type) {
      case 'view':
        this.#forgetChanged(message.view);
        this.view = message.view;
        break;
      case 'part': {
        const { thread, key, path, type: _, ...part } = message;
        this.loadedParts = new Map([...this.loadedParts, [partId(thread, key, path), part]]);
        break;
      }
      case 'sendResult': {
        const { clientId, type: _, ...result } = message;
        this.sendResults = new Map([...this.sendResults, [clientId, result]]);
        break;
      }
      case 'rules':
        this.rules = message;
        break;
      case 'show':
        this.show = { id: message.id };
        break;
    }
    for (const listener of this.#listeners) {
      listener();
    }
  }

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Drops the loaded arguments of asks that changed or disappeared. */
  #forgetChanged(view: InboxView): void {
    const prints = new Map(view.entries.map(({ ask, fingerprint }) => [ask.eventId, fingerprint]));
    for (const { ask, fingerprint } of this.view?.entries ?? []) {
      const id = partId('', ask.eventId, 'ask');
      if (this.loadedParts.has(id) && prints.get(ask.eventId) !== fingerprint) {
        this.loadedParts = new Map([...this.loadedParts].filter(([known]) => known !== id));
      }
    }
  }
}
