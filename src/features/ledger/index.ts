// Exports for other features. They don't depend on VS Code.
export { verifyChecksum, withChecksum } from './submissionFile';
export type { ChosenRuns } from './chosenRuns';
export { withFolderLock } from './folderLock';
export { canForget, isUnderWay } from './submission';
export { hashNewest, hashSubmitted } from './hashSubmitted';
export { applyRenames } from './applyRenames';
export { noteRetryFile } from './runs';
export {
  type ChosenResults,
  chosenResultsOf,
  finalResultsOf,
  followsOf,
  generationsOf,
  groupBy,
  hasBatch,
  isDerivedRetry,
  isForeign,
  isMerged,
  memoized,
  pathsOf,
  type Run,
  type RunResults,
  requestCountOf,
  resultsOf,
  resultsOfSource,
  runOf,
  runOfForeign,
  runsOfSource,
  toRuns,
} from './runs';
export { type HolderLife, type LockHolder, type SendingHold, SendingHolds } from './lockHolder';
export {
  type CacheMix,
  type Candidate,
  type FetchedResults,
  type FetchTries,
  type Follows,
  type GroupPart,
  isDamaged,
  isSameService,
  type ModelEstimate,
  mayHaveBatch,
  type ResultsFile,
  type Search,
  type Selection,
  type Submission,
  SubmissionMovedOnError,
  toSelection,
} from './submission';
export { changedName, sentPathOf, sourcePathOf, submissionFileName, submissionFiles } from './submissionFile';
export type { SubmissionRegistry } from './submissionRegistry';
export type { StepKind, SubmissionStep } from './submissionSteps';
