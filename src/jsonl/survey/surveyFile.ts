import type { PassContext } from '../lineFile';
import type { FileSurvey, SurveyOptions } from './fileSurvey';

/** Surveys a request file in one pass. */
export async function surveyFile(_path: string, _options: SurveyOptions, _context: PassContext): Promise<FileSurvey> {
  throw new Error('This is being built.');
}
