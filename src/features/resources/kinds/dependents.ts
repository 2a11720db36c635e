import type { Deployment } from '../../../client/schemas/deployments';
import type { Session } from '../../../client/schemas/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import type { Page } from '../../../client/transport/answer';
import { ServiceError } from '../../../client/transport/errors';
import { describeError } from '../../../common/text/describeError';
import { join, type PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';

/** Pages of a list that are looked through at most, of this size, and names that are told. */
const mostPages = 5;
export const pageSize = 100;
const mostNamed = 5;

/** What was found in a list, newest first. */
export interface Found {
  readonly names: readonly string[];
  /** Whether the service has more than was looked through. */
  readonly isCut: boolean;
}

export type Telling = (context: Pick<PresentationContext, 'translate'>) => string;

/** Which sessions and deployments use a thing, of those that are not archived. */
export interface Uses {
  session(session: Session): boolean;
  deployment(deployment: Deployment): boolean;
}

/** Says which sessions and deployments depend on a thing. The service has few filters for them: the newest are looked through. */
export async function dependentsOf(client: ServiceClient, { session, deployment }: Uses, signal: AbortSignal): Promise<Telling> {
  const [sessions, deployments] = await Promise.all([
    lookThrough(
      page => client.sessions.list({ ...page, limit: pageSize, order: 'desc', signal }),
      one => !one.archived_at && session(one),
      one => one.title || one.id,
    ),
    lookThrough(
      page => client.deployments.list({ ...page, limit: pageSize, signal }),
      one => !one.archived_at && deployment(one),
      one => one.name || one.id,
    ),
  ]);
  return ({ translate }) => join(' ', describeSessions(sessions, translate), describeDeployments(deployments, translate));
}

/** Says which deployments are archived with an agent; nothing where there are none. */
export async function deploymentsOfAgent(client: ServiceClient, agentId: string, signal: AbortSignal): Promise<Telling> {
  const found = await lookThrough(
    page => client.deployments.list({ ...page, limit: pageSize, agentId, signal }),
    one => !one.archived_at && one.agent?.id === agentId,
    one => one.name || one.id,
  );
  return ({ translate }) =>
    found === undefined || found.names.length === 0
      ? ''
      : translate('Deployments that are archived with it: {0}.', nameFound(found, translate));
}

/** What uses a thing, as its kind tells it; that it could not be found out is told too, and keeps nobody from what they are doing. */
export async function describeUses(
  find: () => Promise<(context: PresentationContext) => string>,
  context: PresentationContext,
): Promise<string> {
  try {
    return (await find())(context);
  } catch (error) {
    return context.translate('What uses it could not be found out: {0}', describeError(error));
  }
}

/** Names what of a list uses a thing; undefined where the service has no such list. */
export async function lookThrough<T>(
  list: (page: { readonly cursor?: string }) => Promise<Pick<Page<T>, 'items' | 'nextCursor' | 'isCut'>>,
  isUse: (item: T) => boolean,
  nameOf: (item: T) => string,
): Promise<Found | undefined> {
  const names: string[] = [];
  let cursor: string | undefined;
  let isListCut = false;
  try {
    for (let page = 0; page < mostPages; page++) {
      const { items, nextCursor, isCut } = await list(cursor === undefined ? {} : { cursor });
      isListCut = isCut === true;
      names.push(...items.filter(isUse).map(nameOf));
      cursor = nextCursor;
      if (cursor === undefined) {
        break;
      }
    }
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not_found') {
      return undefined;
    }
    throw error;
  }
  return { names, isCut: isListCut || cursor !== undefined };
}

/** The first names, and how many more there are. */
function nameFound({ names }: Found, translate: Translate): string {
  const told = names.slice(0, mostNamed).map(name => toLabel(name, 60));
  const rest = names.length - told.length;
  return [...told, ...(rest === 0 ? [] : [translate('and {0} more', rest)])].join(', ');
}

/** What a list was looked through for, in words; '' where the service has no such list. */
export function describeFound(
  found: Found | undefined,
  translate: Translate,
  words: {
    /** None was found, and the list goes on. */
    readonly noneYet: () => string;
    readonly none: () => string;
    readonly some: (names: string) => string;
  },
): string {
  if (found === undefined) {
    return '';
  }
  if (found.names.length > 0) {
    return words.some(nameFound(found, translate));
  }
  return found.isCut ? words.noneYet() : words.none();
}

/** Says which sessions use a thing; nothing where the service has no such list. */
export function describeSessions(found: Found | undefined, translate: Translate): string {
  return describeFound(found, translate, {
    noneYet: () => translate('No session among the newest uses it.'),
    none: () => translate('No session uses it.'),
    some: names => translate('Used by sessions: {0}.', names),
  });
}

function describeDeployments(found: Found | undefined, translate: Translate): string {
  return describeFound(found, translate, {
    noneYet: () => translate('No deployment among the newest uses it.'),
    none: () => translate('No deployment uses it.'),
    some: names => translate('Used by deployments: {0}.', names),
  });
}
