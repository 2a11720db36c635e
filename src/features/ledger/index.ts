// Exports for other features. They don't depend on VS Code.

export { applyRenames } from './applyRenames';
export type { ChosenRuns } from './chosenRuns';
export { withFolderLock } from './folderLock';
export { hashNewest, hashSubmitted } from './hashSubmitted';
export { type HolderLife, type LockHolder, type SendingHold, SendingHolds } from './lockHolder';
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
  noteRetryFile,
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
export {
  type CacheMix,
  type Candidate,
  canForget,
  type FetchedResults,
  type FetchTries,
  type Follows,
  type GroupPart,
  isDamaged,
  isSameService,
  isUnderWay,
  type ModelEstimate,
  mayHaveBatch,
  type ResultsFile,
  type Search,
  type Selection,
  type Submission,
  SubmissionMovedOnError,
  toSelection,
} from './submission';
export { changedName, sentPathOf, sourcePathOf, submissionFileName, submissionFiles, verifyChecksum, withChecksum } from './submissionFile';
export type { SubmissionRegistry } from './submissionRegistry';
export type { StepKind, SubmissionStep } from './submissionSteps';
