import * as vscode from 'vscode';
import { fileCallOf } from '../../../../shared/session/fileChange';
import type { LiveSession } from '../../live/liveSession';
import { findArguments } from './findArguments';
import type { PartOpener } from './partOpener';

/**
 * Shows the file change of an ask in the diff editor, by its complete arguments. Throws a user-readable error if they don't describe a
 * change.
 */
export async function openAskedChange(
  session: Pick<LiveSession, 'transcript' | 'view' | 'findEvent'>,
  parts: Pick<PartOpener, 'openChange'>,
  eventId: string,
  signal: AbortSignal,
): Promise<void> {
  const { t } = vscode.l10n;
  const given = await findArguments(session, eventId, signal, t);
  if (typeof given === 'string') {
    throw new Error(given);
  }
  const tool = session.view.asks.find(ask => ask.eventId === eventId)?.tool ?? '';
  const change = fileCallOf(tool, given.text)?.change;
  if (change === undefined) {
    throw new Error(t("Its arguments don't name a file."));
  }
  await parts.openChange(change, false);
}
