import type { Event } from 'vscode';
import type { Conversation, ConversedSession } from '../panel/live/conversation';
import type { LiveSession } from '../panel/live/liveSession';
import type { PanelSource } from '../panel/live/panelSource';

/** A session whose asks are known whole, and the way to answer them. */
export interface AskSource {
  readonly session: ConversedSession &
    Pick<LiveSession, 'findEvent'> &
    Pick<PanelSource, 'described'> & { readonly onDidChange: Event<unknown> };
  readonly actions: Conversation;
}
