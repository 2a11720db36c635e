import type { Event } from 'vscode';
import type { Conversation, ConversedSession } from './conversation';
import type { LiveSession } from './liveSession';
import type { PanelSource } from './panelSource';

/** Session whose asks are completely known, and its conversation for the answers. */
export interface AskSource {
  readonly session: ConversedSession &
    Pick<LiveSession, 'findEvent'> &
    Pick<PanelSource, 'described'> & { readonly onDidChange: Event<unknown> };
  readonly actions: Conversation;
}
