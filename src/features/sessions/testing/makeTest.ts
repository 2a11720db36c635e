import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice } from '../../../common/asking/askSteps';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { toFileStem } from '../../../common/text/fileStem';
import type { SessionReference } from '../../../contributions';
import { WholeFile } from '../../../jsonl/files/wholeFile';
import { findSecretTexts } from '../../../jsonl/survey/sensitiveText';
import { join, toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import { askTarget } from '../exporting/exportFile';
import { readWholeLog } from '../facts/wholeLog';
import type { SessionActionContext } from '../sessionActionContext';
import { type LeftOut, recordTest } from './recordTest';
import { testEnding } from './testDocument';

/** Creates a test from the whole log of a session, in a file that the user chooses, and opens it. Changes nothing on the service. */
export async function makeTest(
  { connections, lifetime }: Pick<SessionActionContext, 'connections' | 'lifetime'>,
  { connection, sessionId }: SessionReference,
): Promise<void> {
  const { t } = vscode.l10n;
  const { client } = await reach(connections, connection, 'read');
  const { data: session } = await client.sessions.retrieve(sessionId);
  const version = await askVersion(session.agent?.version ?? undefined);
  const name = `${toFileStem(session.title ?? '') || toFileStem(sessionId) || 'session'}${testEnding}`;
  const target = await askTarget(name, t('Save Session Test'));
  const recorded = await withProgress(t('Creating {0}', toLabel(path.basename(target), 80)), lifetime, async (signal, report) => {
    const events = await readWholeLog(client.sessions.events(sessionId), signal, count => report(t('Events read: {0}', count)));
    const test = recordTest(session, events, { version, connection });
    if (test.messages === 0) {
      throw new Error(t('This session has no messages to test.'));
    }
    signal.throwIfAborted();
    await WholeFile.write(target, test.text);
    return test;
  });
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(target));
  const isKnown = target.endsWith(testEnding);
  const secrets = findSecretTexts(recorded.text).length;
  const message = join(
    ' ',
    t('Test created. Messages: {0}, tool calls: {1}.', recorded.messages, recorded.calls),
    isKnown ? t('Run it in the Testing view.') : t('To run it, use a name that ends in {0}.', testEnding),
    describeLeftOut(recorded.leftOut),
    secrets === 0 ? '' : t('Possible secrets: {0}. See the Problems view.', secrets),
  );
  void (secrets > 0 || !isKnown ? showWarning(message) : showInformation(message));
}

async function askVersion(recorded: number | undefined): Promise<number | 'latest'> {
  const { t } = vscode.l10n;
  if (recorded === undefined) {
    return 'latest';
  }
  return await askChoice<number | 'latest'>({
    title: t('Create Test from Session'),
    placeholder: t('Select a version'),
    choices: [
      { label: t('Latest'), detail: t('Latest at run time'), value: 'latest' },
      { label: t('Version {0}', recorded), detail: t('Recorded version'), value: recorded },
    ],
  });
}

function describeLeftOut({ blocks, events, attached }: LeftOut): string {
  const { t } = vscode.l10n;
  const parts = join(
    ', ',
    blocks === 0 ? '' : t('non-text parts ({0})', blocks),
    events === 0 ? '' : t('interrupts and outcomes ({0})', events),
    attached === 0 ? '' : t('resources and vaults ({0})', attached),
  );
  return parts === '' ? '' : t('Not in the test: {0}.', parts);
}
