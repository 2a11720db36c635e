/** What other features read of the ledger. Nothing of it needs VS Code. */
export { finalResultsOf, generationsOf, type Run, type RunResults, resultsOf, resultsOfSource, runOf, toRuns } from './runs';
export { submissionFiles } from './submissionFile';
