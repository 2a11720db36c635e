import type { BuildSource } from './buildRequests';
import type { BuildReport, RowsSurvey } from './rowsReport';
import type { SurveySource } from './surveyRows';

/** Jobs on the rows that requests are built of. */
export interface BuildingJobs {
  surveyRows: { input: SurveySource; output: RowsSurvey };
  /** Writes the requests when the source says where, else only builds and checks them. */
  buildRequests: { input: BuildSource; output: BuildReport };
}
