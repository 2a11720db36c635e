import type { SessionReference } from '../../../contributions';
import type { ListedSession } from '../facts/listedSession';

/** The sessions that one can be compared with, those that are most like it first. */
export interface OtherSessions {
  /** Of the same agent, and of the same first message or title. */
  readonly alike: readonly ListedSession[];
  readonly sameAgent: readonly ListedSession[];
  readonly others: readonly ListedSession[];
}

/** Sorts what is listed by how much it has in common with a session, which is left out itself. */
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

/** What a session is called, without the version that "Run on Two Versions" puts behind the first message. */
function firstWordsOf(listed: ListedSession | undefined): string {
  return (listed?.name ?? '').replace(/ · v\d+$/, '').trim();
}
