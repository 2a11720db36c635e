import type { AssistantTool } from '../assistantTool';
import { checkRequestsTool, estimateBatchTool } from './requestFileTools';
import { explainFailuresTool, queryResultsTool } from './resultsTools';
import { listBatchesTool, proposeBatchTool } from './batchTools';
import { listSessionsTool, readSessionTool, sendMessageTool } from './sessionTools';
import { previewBuildTool, writeRequestsTool } from './buildTools';
import { showTool } from './showTool';

/**
 * All tools for language models. Everything else is reserved for people: approvals, keys, vaults, publishing, deleting and running
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
