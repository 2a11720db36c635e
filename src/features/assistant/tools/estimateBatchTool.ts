import * as z from 'zod';
import type { EstimateSettings } from '../../../common/estimateSettings';
import { findPrice } from '../../../common/readPrices';
import type { FileSurvey } from '../../../jsonl/survey/fileSurvey';
import { costOf } from '../../batches/api';
import { defineTool, type ToolResult, ToolRefusal } from '../assistantTool';
import { fileField } from '../toolFields';

const input = z.strictObject({ file: fileField });

export const estimateBatchTool = defineTool({
  name: 'estimate_batch',
  needs: 'metadata',
  icon: '$(graph)',
  description:
    'Estimates, offline and free, what sending a JSONL file of requests as one batch would take: requests, input tokens as a range, the most output tokens, by model, money where the user has set prices, prompt beginnings that requests share and could be cached, and counts of secrets or personal data found in the texts. Use it when the user asks what a batch costs or how large it is, and before propose_batch.',
  input,
  async run({ file }, services, signal): Promise<ToolResult> {
    const named = await services.findFile(file);
    const survey = await services.readFile(named, path =>
      services.jobs.run('surveyFile', { path, options: { minimumCachedTokens: services.minimumCachedTokens() } }, { signal }),
    );
    if (survey.requests === 0) {
      throw new ToolRefusal(`${named.name} holds no requests that could be estimated. Call check_requests to see why.`);
    }
    const { requests, skippedLines, input: tokens, maxOutput, withoutMaxTokens, opaqueBlocks, findings } = survey;
    return {
      facts: {
        ...{ file: named.name, requests, skippedLines, inputTokens: tokens, maxOutputTokens: maxOutput, withoutMaxTokens },
        ...moneyOf(survey, services.prices()),
        blocksNotEstimated: opaqueBlocks,
        found: findings.map(({ pattern, kind, count, ranges }) => ({ pattern, kind, count, firstLine: (ranges[0]?.line ?? 0) + 1 })),
        sharedPrefixes: survey.prefixes.slice(0, 5).map(prefix => ({
          ...{ model: prefix.model, requests: prefix.requests, tokens: prefix.tokens.likely, alreadyMarked: prefix.marked },
          firstLine: prefix.firstLine + 1,
        })),
      },
    };
  },
});

/** Returns the cost for the models with a price, and the names of the models without one. */
function moneyOf({ models }: FileSurvey, { prices, currency, folderModels }: EstimateSettings) {
  return {
    currency,
    models: models.slice(0, 20).map(one => {
      const found = findPrice(prices, one.model);
      return {
        ...{ model: one.model, requests: one.requests, inputTokens: one.input, maxOutputTokens: one.maxOutput },
        cost: found === undefined ? 'not known: no price is set in managedAgents.estimate.prices' : costOf(one, found.price),
        ...(found !== undefined && found.id !== one.model && { priceIsOf: found.id }),
        ...(found !== undefined && folderModels.has(found.id) && { priceIsFrom: "the open folder's settings, not the user's" }),
      };
    }),
  };
}
