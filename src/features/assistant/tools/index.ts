import type { AssistantTool } from '../assistantTool';
import { listBatchesTool, proposeBatchTool } from './batchTools';
import { previewBuildTool, writeRequestsTool } from './buildTools';
import { checkRequestsTool, estimateBatchTool } from './requestFileTools';
import { explainFailuresTool, queryResultsTool } from './resultsTools';
import { listSessionsTool, readSessionTool, sendMessageTool } from './sessionTools';
import { showTool } from './showTool';

/**
 * All tools for language models. Everything else is reserved for people, such as approvals, keys, vaults, publishing, deleting and running
 * deployments.
 */
export const assistantTools: readonly AssistantTool[] = [
  checkRequestsTool,
  estimateBatchTool,
  previewBuildTool,
  writeRequestsTool,
  proposeBatchTool,
  listBatchesTool,
  queryResultsTool,
  explainFailuresTool,
  listSessionsTool,
  readSessionTool,
  showTool,
  sendMessageTool,
];
