import type { InboxView, OfferedRule, ToInbox } from '../../shared/inbox/inboxProtocol';
import { ReplyStore } from '../controls/hostStore';

type ShowRequest = Extract<ToInbox, { readonly type: 'show' }>;

/** Latest state from the host. Every message replaces it. */
export class InboxStore extends ReplyStore<ToInbox> {
  view: InboxView | undefined;
  #show: ShowRequest | undefined;
  rules: { readonly eventId: string; readonly rules: readonly OfferedRule[] } | undefined;

  /** Returns the host's request to show an item, once. A request without `id` means the first item. */
  takeShow(): ShowRequest | undefined {
    const show = this.#show;
    this.#show = undefined;
    return show;
  }

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
        this.#show = message;
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
