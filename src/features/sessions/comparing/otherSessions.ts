import type { SessionReference } from '../../../contributions';
import type { ListedSession } from '../facts/listedSession';

/** Sessions to compare one with, in groups of decreasing similarity. */
export interface OtherSessions {
  /** Sessions of the same agent with the same first message or title. */
  readonly alike: readonly ListedSession[];
  readonly sameAgent: readonly ListedSession[];
  readonly others: readonly ListedSession[];
}

/** Groups the listed sessions by their similarity to a session, which is itself omitted. */
export function otherSessions(listed: readonly ListedSession[], one: SessionReference): OtherSessions {
  const isOne = ({ connection, session }: ListedSession) => connection === one.connection && session.id === one.sessionId;
  const self = listed.find(isOne);
  const others = listed.filter(session => !isOne(session));
  const name = firstWordsOf(self);
  const isSameAgent = ({ session, connection }: ListedSession) =>
    connection === self?.connection && session.agent?.id !== undefined && session.agent.id === self.session.agent?.id;
  const isAlike = (session: ListedSession) => isSameAgent(session) && name !== '' && firstWordsOf(session) === name;
  return {
    alike: others.filter(isAlike),
    sameAgent: others.filter(session => isSameAgent(session) && !isAlike(session)),
    others: others.filter(session => !isSameAgent(session)),
  };
}

/** Returns the title or first message of a session, without the version that "Run on Two Versions" appends. */
function firstWordsOf(listed: ListedSession | undefined): string {
  return (listed?.name ?? '').replace(/ · v\d+$/, '').trim();
}
