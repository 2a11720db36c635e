import type { Session } from '../../../client/schemas/sessions';
import { describeSince, describeTime, nameOrId, toRow } from '../../../common/text/presentation';
import { toLabel } from '../../../shared/text';
import type { ResourceKind } from '../resourceKind';

/**
 * Sessions that use an environment. The service has no filter for them, so all sessions that are not archived are searched page by page.
 */
export const environmentSessions: ResourceKind<Session> = {
  kind: 'session',
  icon: 'comment-discussion',
  title: translate => translate('Sessions'),
  calls: ({ sessions }, parent) => ({
    retrieve: sessions.retrieve,
    list: async options => {
      const page = await sessions.list({ ...options, limit: 100, order: 'desc' });
      return { ...page, items: page.items.filter(({ environment_id: id, archived_at: time }) => id === parent?.id && !time) };
    },
  }),
  name: nameOf,
  row: (session, context) => {
    const label = nameOf(session);
    // An idle session can be done, have failed, or need the user: the Sessions view knows.
    const status = session.status === 'idle' ? '' : toLabel(session.status ?? '', 40);
    const age = describeSince(session.updated_at ?? session.created_at, context);
    return toRow(label, [status, age], {
      icon: 'comment-discussion',
      abilities: ['resource', 'hasSession'],
    });
  },
  facts: (session, context) => [
    [context.translate('Status'), session.status ?? ''],
    [context.translate('Agent'), session.agent?.name ?? ''],
    [context.translate('Created'), session.created_at ? describeTime(session.created_at, context) : ''],
  ],
  session: ({ id }) => id,
};

function nameOf({ id, title }: Session): string {
  return nameOrId(title, id);
}
