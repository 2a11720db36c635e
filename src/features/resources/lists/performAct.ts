import * as vscode from 'vscode';
import { ServiceError } from '../../../client/transport/errors';
import { confirmChange } from '../../../common/asking/confirmChange';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { Reference } from '../../../contributions';
import type { Reached } from '../../connection';
import { type ActName, actWords, type Resource, runActOf } from '../resourceKind';
import type { ResourceList } from './resourceList';

/** List that a resource belongs to, even if the list does not contain it. */
type Listing<T extends Resource> = Pick<ResourceList<T>, 'kind' | 'connection' | 'list'>;

/**
 * Reads the current state of a resource and updates its row. If the resource is gone, removes the row and throws an error with a message
 * for the user.
 */
export async function retrieveListed<T extends Resource>(listing: Listing<T>, { client }: Reached, { id, parent }: Reference): Promise<T> {
  const { kind, connection, list } = listing;
  try {
    const { data } = await kind.calls(client, parent).retrieve(id);
    // An unlisted resource may be hidden by a filter, so it is not added.
    if (list.find(id) !== undefined) {
      list.put(connection, data);
    }
    return data;
  } catch (error) {
    throw toGone(listing, id, error);
  }
}

/** Runs an act on one resource after asking, and updates its list. `describe` returns a sentence to show in the question. */
export async function performAct<T extends Resource>(
  name: ActName,
  listing: Listing<T> & Pick<ResourceList<T>, 'refresh'>,
  reached: Reached,
  reference: Reference,
  describe: () => Promise<string> = async () => '',
): Promise<void> {
  const { kind, list } = listing;
  const { connection, client } = reached;
  const translate = vscode.l10n.t;
  const act = kind.acts?.[name];
  if (act === undefined) {
    throw new Error(translate("This can't be done with {0}.", reference.id));
  }
  const current = await retrieveListed(listing, reached, reference);
  const label = kind.name(current);
  const words = actWords(name, label, translate);
  const { title, detail, button } = act.question?.(label, translate, current) ?? { ...words, detail: act.detail(translate, current) };
  await confirmChange(connection, { title, details: [await describe(), detail], button });
  try {
    const value = await runActOf(kind, name, client, reference, current).catch(async (error: unknown) => {
      const instead = act.instead?.(error, label, translate);
      if (instead === undefined) {
        throw error;
      }
      await confirmChange(connection, { title: instead.title, details: [instead.detail], button: instead.button });
      return await instead.run(client, reference, current);
    });
    if (name === 'delete') {
      list.remove(connection.name, reference.id);
    } else {
      list.put(connection.name, value as T);
    }
  } catch (error) {
    throw act.changed !== undefined && isConflict(error)
      ? new Error(act.changed(label, translate), { cause: error })
      : toGone(listing, reference.id, error);
  }
  vscode.window.setStatusBarMessage(withoutIcons(words.done), 5000);
  await listing.refresh();
}

/**
 * Returns the error of a failed request. If the resource itself was not found, removes its row and returns an error with that message.
 */
export function toGone<T extends Resource>({ kind, connection, list }: Listing<T>, id: string, error: unknown): unknown {
  if (!isGone(error)) {
    return error;
  }
  const listed = list.find(id);
  list.remove(connection, id);
  return new Error(describeGone(listed === undefined ? id : kind.name(listed)), { cause: error });
}

/** Returns whether an error is a 404 of the service. */
export function isGone(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404;
}

/** Returns `undefined` for a 404 of the service. Throws any other error. */
export function undefinedIfGone(error: unknown): undefined {
  if (!isGone(error)) {
    throw error;
  }
}

/** Returns the message for a resource that is no longer on the service. */
export function describeGone(name: string): string {
  return vscode.l10n.t('{0} is no longer on the service.', name);
}

/** Returns whether a change was refused because somebody else changed the resource first (API facts, section 3: 409 in every dialect). */
export function isConflict(error: unknown): boolean {
  return error instanceof ServiceError && (error.kind === 'conflict' || error.status === 409);
}
