import assert from 'node:assert/strict';
import { readSources } from './sourceFile';

/** Commands that are run although no button of a message asked for them, each by file and id, with why no function is called. */
const reasons: Readonly<Record<string, string>> = {
  'features/agents/agentActs managedAgents.sessions.focus': 'VS Code has this one',
  'features/agents/agentActs managedAgents.sessions.filter': 'sessions know agents, not the other way round',
  'features/batches/canary/canaryCommands managedAgents.batch.fetchResults': 'results of one batch are fetched once at a time',
  'features/batches/fileRuns/showFileRuns managedAgents.results.compare': 'results know batches, not the other way round',
  'features/batches/fileRuns/showFileRuns managedAgents.results.show': 'results know batches, not the other way round',
  'features/batches/fileRuns/showFileRuns managedAgents.submission.resolve': 'it works on documents of its own',
  'features/batches/fileRuns/showFileRuns managedAgents.batch.open': 'it works on documents of its own',
  'features/batches/fileRuns/showFileRuns managedAgents.batch.fetchResults': 'results of one batch are fetched once at a time',
  'features/batches/groups/groupCommands managedAgents.batches.refresh': 'the list belongs to the view',
  'features/batches/sheet/sheetActs managedAgents.file.check': 'a link of the sheet; it keeps reports of its own',
  'features/batches/sheet/sheetActs managedAgents.file.fix': 'a link of the sheet; it works on documents of its own',
  'features/batches/sheet/sheetActs managedAgents.requests.showTable': 'a link of the sheet; the panel belongs to another feature',
  'features/batches/sheet/sheetActs managedAgents.file.convert': 'a link of the sheet; it keeps reports of its own',
  'features/batches/sheet/sheetActs managedAgents.file.split': 'a link of the sheet; it keeps reports of its own',
  'features/batches/sheet/sheetActs managedAgents.submission.resolve': 'a link of the sheet; it works on documents of its own',
  'features/batches/submitting/showOutcome managedAgents.batch.createChanged': 'a button of a message, chosen by what is sent',
  'features/batches/submitting/showOutcome managedAgents.canary.create': 'a button of a message, chosen by what is sent',
  'features/batches/submitting/showOutcome managedAgents.canary.continue': 'a button of a message, chosen by what is sent',
  'features/batches/submitting/showOutcome managedAgents.batch.create': 'a button of a message, chosen by what is sent',
  'features/batches/watching/notifyEnded managedAgents.batch.fetchResults': 'a button of a message, chosen by what has ended',
  'features/requestTests/requestTests managedAgents.answer.goToRequest': 'it works on documents of its own',
  'features/requestTests/requestTests managedAgents.request.goTo': 'it works on documents of its own',
  'features/requestTests/retryFailed managedAgents.retry.plan': 'a choice of the user; it shows pages of its own',
  'features/requests/answers/answerCommands managedAgents.results.show': 'results know requests, not the other way round',
  'features/resources/memories/showVersions managedAgents.session.open': 'sessions know resources, not the other way round',
  'features/resources/serviceFiles/fileDragAndDrop managedAgents.serviceFile.upload': 'what was dropped is what the user asked for',
  'features/results/panel/panelActs managedAgents.retry.plan': 'a button of the panel; it shows pages of its own',
  'features/results/panel/panelActs managedAgents.batch.fetchResults': 'a button of the panel; results are fetched once at a time',
  'features/results/requests/requestActs managedAgents.batch.create': 'a button of the panel; it keeps sheets of its own',
  'features/results/requests/requestActs managedAgents.file.fix': 'a button of the panel; it works on documents of its own',
  'features/results/requests/requestActs managedAgents.request.edit': 'a button of the panel; it works on documents of its own',
  'features/sessions/attached/manageResources managedAgents.serviceFile.open': 'what it needs is made where resources are registered',
  'features/sessions/attached/manageResources managedAgents.serviceFile.download': 'what it needs is made where resources are registered',
  'features/sessions/panel/panelHandlers managedAgents.agent.open': 'a link of the panel; it works on documents of its own',
  'features/sessions/panel/panelHandlers managedAgents.credential.mend': 'a button of the panel; what it needs is made where resources are',
  'features/sessions/panel/panelHandlers managedAgents.session.copyLink': 'a button of the panel; the command knows the connections',
  'features/sessions/panel/panelHandlers managedAgents.session.startAgain': 'a button of the panel; what it needs is made with the view',
  'features/sessions/sessionActions managedAgents.deployment.create': 'what it needs is made where resources are registered',
};

describe('project/commandCalls', () => {
  const calls = [...readSources().values()].flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:runCommand|executeCommand)\(\s*'(managedAgents\.[^']+)'/g)].map(({ index, 1: id = '' }) => ({
      path,
      id,
      isAnswer: isAnswer(text.slice(Math.max(0, index - 160), index)),
    })),
  );

  it('finds the commands that answers to messages run', () => {
    assert.ok(calls.filter(call => call.isAnswer).length > 20);
  });

  it('calls functions, and leaves commands to the buttons of messages', () => {
    const others = calls.filter(
      ({ path, id, isAnswer }) => !isAnswer && path.startsWith('features/') && reasons[`${path} ${id}`] === undefined,
    );
    assert.deepEqual(others, []);
  });

  it('tells a call from the answer to a message', () => {
    assert.ok(isAnswer('if (choice === again) {\n    await '));
    assert.ok(isAnswer('choice === create ? '));
    assert.ok(isAnswer("[vscode.l10n.t('Set API Key'), () => "));
    assert.ok(!isAnswer('if (made === undefined) {\n    await '));
    assert.ok(!isAnswer('  const files = await '));
  });
});

/** Whether what stands before a command says that a button was chosen, or makes one. */
function isAnswer(before: string): boolean {
  const chosen = /===\s*([a-z]\w*)\)*\s*(?:\{\s*(?:return )?(?:await )?|\?\s*|(?:return )?(?:await )?)$/.exec(before)?.[1];
  return (chosen !== undefined && chosen !== 'undefined') || /=>\s*(?:await )?$/.test(before);
}
