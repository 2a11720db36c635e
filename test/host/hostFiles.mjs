// @ts-check

/**
 * What no VS Code can change: the runner, the start script, and the acts of a person that every other file is made of. And models of
 * services that cost, which are not offered on the oldest.
 */
export const newestOnly = [
  'workbench/chatModels.test.ts',
  'workbench/npmStart.test.ts',
  'workbench/runner.test.ts',
  'workbench/start.test.ts',
];

/**
 * What a brief run drives on the oldest VS Code: each kind of thing that VS Code gives and that differs between its versions
 * (quick inputs, lenses, links, hovers, trees, webviews, dialogs, notifications, trust, reloads), and the main job from its
 * begin to its end. What other files do with the same things is our own code, which the newest VS Code runs whole.
 */
export const briefOnFloor = ['agentJob', 'batches', 'connection', 'connectionOffered', 'jsonl', 'mainJob'].map(
  name => `workbench/${name}.test.ts`,
);

/**
 * Journeys that only the long form drives: seldom touched, long, and with their parts tested below (in webviews, inside the extension
 * host, over sockets). `--only` finds them always.
 */
export const longFormOnly = [
  'afterItRan',
  'agentDrafts',
  'approvalRules',
  'assistant',
  'chatModels',
  'compareResults',
  'compareSessions',
  'composing',
  'connectionOffered',
  'deployments',
  'fixes',
  'groups',
  'inbox',
  'links',
  'manySessions',
  'memories',
  'npmStart',
  'pseudoLocale',
  'reconciling',
  'requestEditor',
  'requestTable',
  'rules',
  'runner',
  'sessionExport',
  'sessionResources',
  'sessionTests',
  'sheetChanges',
  'skills',
  'vaults',
  'watching',
  'webhooks',
].map(name => `workbench/${name}.test.ts`);

/** Journeys that mostly wait, for what a budget of requests a minute lets through: others are driven meanwhile. */
export const waiting = ['workbench/manySessions.test.ts'];

/**
 * The test files of a run, in their order.
 * @param {readonly string[]} files paths in `test/host`
 * @param {Pick<import('../runner/nodeTasks.mjs').TaskOptions, 'kind' | 'only' | 'isBrief' | 'isLong' | 'isRest'>} options
 */
export function chooseHostFiles(files, { kind, only, isBrief, isLong, isRest }) {
  const isAsked = (/** @type {string} */ file) => {
    if (kind === 'floor') {
      return !newestOnly.includes(file) && (!(isBrief || isRest) || !isDriver(file) || briefOnFloor.includes(file));
    }
    return isLong || (only !== '' && !isRest) || longFormOnly.includes(file) === isRest;
  };
  return files.filter(file => file.endsWith('.test.ts') && file.includes(only) && isAsked(file)).sort();
}

/**
 * Whether a file drives the page from outside, and does not run inside the extension host.
 * @param {string} file
 */
export function isDriver(file) {
  return file.startsWith('workbench/');
}
