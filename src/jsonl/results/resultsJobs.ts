import type { ComparingJobs } from '../comparing/comparingJobs';
import type { ExpectingJobs } from '../expecting/expectingJobs';
import type { ExportingJobs } from '../exporting/exportingJobs';
import type { MergingJobs } from '../merging/mergingJobs';
import type { QueryingJobs } from '../querying/queryingJobs';
import type { RetryingJobs } from '../retrying/retryingJobs';

/** Jobs on fetched results; what each takes and gives stands with it. */
export interface ResultsJobs extends MergingJobs, QueryingJobs, ExportingJobs, ComparingJobs, RetryingJobs, ExpectingJobs {}
