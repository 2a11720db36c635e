import { type Clock, systemClock } from '../../common/clock';
import { FolderRegistry } from './folderRegistry';
import type { SubmissionRegistry } from './submissionRegistry';

export interface SubmissionRegistryOptions {
  /** Folder that holds one folder per submission; made when first written to. */
  readonly folder: string;
  readonly log: { warn(message: string): void };
  readonly clock?: Clock;
}

/** Creates the registry over one folder. Nothing is read before `load`, `reload` or the first question. */
export function createSubmissionRegistry({ folder, log, clock = systemClock }: SubmissionRegistryOptions): SubmissionRegistry {
  return new FolderRegistry(folder, log, clock);
}
