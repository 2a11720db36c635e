import type { AssistantTool } from '../assistantTool';
import { checkRequestsTool } from './checkRequestsTool';
import { estimateBatchTool } from './estimateBatchTool';
import { explainFailuresTool } from './explainFailuresTool';
import { listBatchesTool } from './listBatchesTool';
import { listSessionsTool } from './listSessionsTool';
import { previewBuildTool } from './previewBuildTool';
import { proposeBatchTool } from './proposeBatchTool';
import { queryResultsTool } from './queryResultsTool';
import { readSessionTool } from './readSessionTool';
import { sendMessageTool } from './sendMessageTool';
import { showTool } from './showTool';
import { writeRequestsTool } from './writeRequestsTool';

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
