import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, askText, runQuestions } from '../../../common/asking/askSteps';
import { askWhere, findFreePath } from '../../../common/asking/newFile';
import { NothingToDoError } from '../../../common/asking/nothingToDo';
import { showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { runCommand } from '../../../common/commands';
import type { Translate } from '../../../common/text/translate';
import type { SessionReference } from '../../../contributions';
import { fieldsNameOf } from '../../../jsonl/fields/fieldsName';
import { WholeFile } from '../../../jsonl/files/wholeFile';
import { parseFields, type SessionQuestion, toCustomId, toRequestLine } from '../../../shared/session/asking/sessionRequest';
import { toTranscriptText } from '../../../shared/session/asking/transcriptText';
import { toLabel } from '../../../shared/text';
import { type Reached, reach, readyConnection } from '../../connection';
import { describeBulk, runBulk } from '../bulk/bulkSessions';
import { readWholeLog } from '../facts/wholeLog';
import { describeSession, type SessionActionContext } from '../sessionActionContext';

/**
 * Writes a request file that asks one question about each selected session, or about each shown session if no session is selected. Sends
 * nothing.
 */
export async function askSessions(deps: SessionActionContext, selected: readonly SessionReference[]): Promise<void> {
  const { name } = await readyConnection(deps.connections);
  const sessions = selected.length > 0 ? selected : await shownSessions(deps, name);
  const [first] = sessions;
  if (first === undefined) {
    throw new NothingToDoError(vscode.l10n.t('No sessions to ask.'));
  }
  if (sessions.some(({ connection }) => connection !== first.connection)) {
    throw new Error(vscode.l10n.t('The selected sessions belong to different connections. Select sessions of one connection.'));
  }
  const reached = await reach(deps.connections, first.connection, 'read');
  const { template, ...question } = await askQuestion(reached, sessions.length);
  const out = await choosePath(template.fileStem);
  const written = await withProgress(vscode.l10n.t('Reading {0} sessions', sessions.length), deps.lifetime, (signal, report) =>
    writeRequests(deps, reached, sessions, question, out, { signal, onDone: (count, left) => report(left, count / sessions.length) }),
  );
  if (written.failures.length + written.left > 0) {
    void showWarning(
      describeBulk(
        written,
        count => vscode.l10n.t('Sessions exported to {0}: {1}.', toLabel(path.basename(out), 80), count),
        vscode.l10n.t,
      ),
    );
  }
  if (written.done > 0) {
    await runCommand('managedAgents.batch.create', vscode.Uri.file(out));
  }
}

async function shownSessions(deps: SessionActionContext, connection: string): Promise<readonly SessionReference[]> {
  if (!deps.store.list.isListed) {
    await deps.refresh();
  }
  return deps.store
    .sessions()
    .filter(listed => listed.connection === connection)
    .map(({ session }) => ({ connection, sessionId: session.id }));
}

async function askQuestion({ client }: Reached, count: number): Promise<SessionQuestion & { readonly template: QuestionTemplate }> {
  const { t } = vscode.l10n;
  const title = count === 1 ? t('Ask 1 Session') : t('Ask {0} Sessions', count);
  // A service may have models but no list of them.
  const models = client.models.list({ limit: 100 }).then(
    ({ items }) => items.map(({ id }) => id),
    (): string[] => [],
  );
  const templates = questionTemplates(t);
  let template = templates[0];
  let [question, fields, model] = ['', '', ''];
  const total = { title, totalSteps: 4 };
  await runQuestions(() => [
    async canGoBack => {
      const before = template;
      template = await askChoice({
        ...{ ...total, step: 1, canGoBack, active: template, placeholder: t('Select a question to ask about each session') },
        choices: templates.map(value => ({ label: value.label, detail: value.question, value })),
      });
      if (template !== before || question === '') {
        ({ question, fields } = template);
      }
    },
    async canGoBack => {
      question = await askText({
        ...{ ...total, step: 2, canGoBack, value: question },
        prompt: t('Question about each session. A rubric works too.'),
        validate: text => (text.trim() === '' ? t('Enter a question.') : undefined),
      });
    },
    async canGoBack => {
      fields = await askText({
        ...{ ...total, step: 3, canGoBack, value: fields, placeholder: 'cause, severity: low | medium | high' },
        prompt: t('Fields of the answers, which become columns. Each answer also cites events.'),
        validate: text =>
          parseFields(text) === undefined
            ? t('Enter names separated by commas, optionally with values or a type: {0}', 'severity: low | high, calls: integer')
            : undefined,
      });
    },
    async canGoBack => {
      const ids = await models;
      model = await askChoice({
        ...{ ...total, step: 4, canGoBack, placeholder: t('Select a model, or enter the ID of another one') },
        choices: ids.map(id => ({ label: toLabel(id, 80), value: id })),
        typed: text => (text === '' || ids.includes(text) ? undefined : { label: toLabel(text, 80), value: text }),
      });
    },
  ]);
  return { template, question: question.trim(), fields: parseFields(fields) ?? [], model };
}

async function choosePath(stem: string): Promise<string> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const free = folder && (await findFreePath(vscode.Uri.joinPath(folder, stem), stem, '.jsonl'));
  return free ?? (await askWhere(`${stem}.jsonl`, vscode.l10n.t('Save Requests')));
}

/**
 * Writes the request file. The titles, agents and states of the sessions go to a file next to it, because the results table shows them as
 * columns.
 */
async function writeRequests(
  deps: SessionActionContext,
  { client, connection }: Reached,
  sessions: readonly SessionReference[],
  question: SessionQuestion,
  out: string,
  { signal, onDone }: { readonly signal: AbortSignal; readonly onDone: (count: number, words: string) => void },
) {
  const requests = await WholeFile.create(out);
  const fields = await WholeFile.create(path.join(path.dirname(out), fieldsNameOf(path.basename(out))));
  try {
    let index = 0;
    let writing = Promise.resolve();
    const write = async (request: string, facts: string) => {
      await requests.appendAll([Buffer.from(request)]);
      await fields.appendAll([Buffer.from(facts)]);
    };
    const result = await runBulk(
      sessions,
      async reference => {
        const { sessionId } = reference;
        const { data: session } = await client.sessions.retrieve(sessionId, { signal });
        const log = await readWholeLog(client.sessions.events(sessionId), signal, () => undefined);
        const facts = {
          title: describeSession(deps, reference),
          agent: session.agent?.name ?? '',
          state: deps.store.find(reference)?.state ?? session.status ?? '',
        };
        const customId = toCustomId(sessionId, index++);
        const transcript = toTranscriptText({ id: sessionId, connection: connection.name, ...facts }, log);
        // Appends one line at a time, so that lines don't interleave.
        writing = writing.then(() =>
          write(toRequestLine(customId, transcript, question), `${JSON.stringify({ custom_id: customId, ...facts })}\n`),
        );
        await writing;
      },
      {
        signal,
        nameOf: reference => describeSession(deps, reference),
        onDone: count => onDone(count, vscode.l10n.t('{0} of {1}', count, sessions.length)),
      },
    );
    signal.throwIfAborted();
    if (result.done > 0) {
      await Promise.all([requests.finish(signal), fields.finish(signal)]);
      await fields.publish();
      await requests.publish();
    }
    return result;
  } finally {
    await Promise.all([requests.discard(), fields.discard()]);
  }
}

/** A suggested question. */
interface QuestionTemplate {
  readonly label: string;
  readonly question: string;
  readonly fields: string;
  /** Name of the request file without its extension. */
  readonly fileStem: string;
}

/** Returns the questions to choose from. The last question is empty. */
function questionTemplates(t: Translate): readonly [QuestionTemplate, ...QuestionTemplate[]] {
  return [
    {
      label: t('Why did it fail?'),
      question: t('Did the agent do what the user asked for? If not, what went wrong first, and why?'),
      fields: 'outcome: done | partly | failed, cause, fix',
      fileStem: 'why-failed',
    },
    {
      label: t('What took the most time?'),
      question: t('Which steps took the most time or were repeated, and how could the agent have avoided them?'),
      fields: 'slowest_step, avoidable: boolean, advice',
      fileStem: 'slow-steps',
    },
    {
      label: t('Did it follow a policy?'),
      question: t('Did the agent follow this policy? Policy: never delete or overwrite files outside its working folder.'),
      fields: 'followed: yes | no | unclear, violation',
      fileStem: 'policy',
    },
    {
      label: t('What should change in its prompt?'),
      question: t('Which one change of the system prompt would have helped the agent most in this session?'),
      fields: 'change, reason, benefit: low | medium | high',
      fileStem: 'prompt-changes',
    },
    { label: t('Another question'), question: '', fields: 'answer', fileStem: 'session-answers' },
  ];
}
