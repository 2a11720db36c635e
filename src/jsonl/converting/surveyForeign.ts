import type { PassContext } from '../lineFile';
import type { ForeignSurvey } from './convertingJobs';

export function surveyForeign(_: { readonly path: string }, _context: PassContext): ForeignSurvey {
  throw new Error('This is being built.');
}
