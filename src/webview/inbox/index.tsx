import type { FromInbox, InboxState, ToInbox } from '../../shared/inbox/inboxProtocol';
import { startPanel } from '../controls/startPanel';
import { InboxApp, postOfCard } from './inboxApp';
import { InboxStore } from './inboxStore';

startPanel<FromInbox, ToInbox, InboxState>((saved, post) => {
  const store = new InboxStore();
  const draw = () => store.view && <InboxApp {...{ store, saved, post }} view={store.view} />;
  return { store, post: message => postOfCard(message, store, post), draw };
});
