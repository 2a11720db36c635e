/** What other features use of the ledger. Nothing of it needs VS Code. */
export { hashSubmitted } from '../incremental/hashSubmitted';
export { finalResultsOf, generationsOf, type Run, type RunResults, resultsOf, resultsOfSource, runOf, toRuns } from './runs';
export { submissionFiles } from './submissionFile';
