import { objectOf, textOf } from '../../../shared/session/eventFields';
import { inputOf } from '../../../shared/session/rows/buildToolRow';
import type { ConversedSession } from '../live/conversation';
import type { PanelSource } from '../live/panelSource';
import type { RuledAsk } from './decideByRules';

/** An answered ask for permission. */
export interface AnsweredAsk extends RuledAsk {
  /** RFC 3339; '' if not reported. */
  readonly at: string;
  readonly decided: 'allow' | 'deny';
}

/** Returns the latest answered asks in the log of an open session, at most 500, oldest first. They are stored nowhere else. */
export function answeredAsks(
  session: Pick<ConversedSession, 'reference' | 'view' | 'transcript'> & { readonly described: Pick<PanelSource['described'], 'threads'> },
  service: string,
): readonly AnsweredAsk[] {
  const { reference, view, described } = session;
  const transcript = session.transcript('');
  const asks = (transcript?.events ?? []).flatMap((event): readonly AnsweredAsk[] => {
    const { type, tool_use_id: id, result: decided } = event;
    const call = type === 'user.tool_confirmation' && typeof id === 'string' ? transcript?.eventOf(id) : undefined;
    if (call === undefined || (decided !== 'allow' && decided !== 'deny')) {
      return [];
    }
    const thread = textOf(call.session_thread_id);
    const of = described.threads?.find(each => each.id === thread);
    const agent = of === undefined || of.parent_thread_id === null ? view.agent?.id : textOf(objectOf(of.agent)?.id);
    return [
      {
        ...{ connection: reference.connection, service, session: reference.sessionId, agent, input: inputOf(call) },
        ...{ tool: textOf(call.name) ?? '', server: textOf(call.mcp_server_name), at: textOf(event.processed_at) ?? '', decided },
      },
    ];
  });
  return asks.slice(-500);
}
