import type { BatchReference, SubmissionReference } from '../../../contributions';
import type { RunDependencies } from '../runCommands';

/** Placeholder. */
export async function showSteps(_deps: RunDependencies, _target: SubmissionReference | BatchReference | undefined): Promise<void> {
  throw new Error('This is being built.');
}

/** Placeholder. */
export async function forget(_deps: RunDependencies, _target: SubmissionReference | undefined): Promise<void> {
  throw new Error('This is being built.');
}
