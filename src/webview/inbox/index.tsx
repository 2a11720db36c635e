import type { FromInbox, InboxState, ToInbox } from '../../shared/inbox/inboxProtocol';
import { startPanel } from '../controls/startPanel';
import { InboxApp } from './inboxApp';
import { InboxStore } from './inboxStore';

startPanel<FromInbox, ToInbox, InboxState>((saved, post) => {
  const store = new InboxStore();
  return { receive: message => store.receive(message), app: <InboxApp {...{ store, saved, post }} /> };
});
