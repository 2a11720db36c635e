import type { InboxView, OfferedRule, ToInbox } from '../../shared/inbox/inboxProtocol';
import { ReplyStore } from '../controls/hostStore';

/** Item that the host wants to show. A new object for each request. */
export interface ShowRequest {
  /** `undefined` for the first item. */
  readonly id: string | undefined;
}

/** Latest state from the host. Every change replaces it. */
export class InboxStore extends ReplyStore<ToInbox> {
  view: InboxView | undefined;
  show: ShowRequest | undefined;
  rules: { readonly eventId: string; readonly rules: readonly OfferedRule[] } | undefined;

  receive(message: ToInbox): void {
    switch (message.type) {
      case 'view':
        this.#forgetChanged(message.view);
        this.view = message.view;
        break;
      case 'part':
      case 'sendResult':
        this.takeReply(message);
        break;
      case 'rules':
        this.rules = message;
        break;
      case 'show':
        this.show = { id: message.id };
        break;
    }
    this.changed();
  }

  #forgetChanged(view: InboxView): void {
    const prints = new Map(view.entries.map(({ ask, fingerprint }) => [ask.eventId, fingerprint]));
    for (const { ask, fingerprint } of this.view?.entries ?? []) {
      if (prints.get(ask.eventId) !== fingerprint) {
        this.forgetArguments(ask.eventId);
      }
    }
  }
}
