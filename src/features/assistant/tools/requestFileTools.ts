import * as z from 'zod';
import type { EstimateSettings } from '../../../common/estimateSettings';
import { findPrice } from '../../../common/readPrices';
import { formatText, type Problem } from '../../../contract/problem';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import { type FixKind, fixKinds } from '../../../jsonl/fixes/fixKinds';
import type { FileSurvey } from '../../../jsonl/survey/fileSurvey';
import { costOf } from '../../batches/api';
import { defineTool, fileField, limitField, ToolRefusal, type ToolResult } from '../assistantTool';

export const checkRequestsTool = defineTool({
  name: 'check_requests',
  needs: 'metadata',
  icon: '$(checklist)',
  description:
    'Checks a JSONL file of message batch requests against the rules of the service, offline and free: JSON, fields, types, ranges, models, IDs and limits. Returns counts, the problems by rule with lines and JSON pointers, and the fixes that write_requests can apply. Use it when the user asks whether a request file is valid, before you propose a batch, and after you edit a request file. Prefer it to reading the file: it handles files of any size.',
  input: z.strictObject({
    file: fileField,
    maxProblems: limitField(50, 20).describe('Maximum number of example problems, spread over the rules.'),
  }),
  async run({ file, maxProblems }, services, signal): Promise<ToolResult> {
    const named = await services.findFile(file);
    const rules = services.rules(named);
    const [report, fixes] = await services.readFile(named, async path => {
      const checked = await services.jobs.checkFile(path, { limits: services.limits(), rules, mostProblems: 1_000 }, { signal });
      const selection = { kinds: Object.keys(fixKinds) as FixKind[] };
      const { fixes: found } = await services.jobs.run('rewriteFile', { path, work: { type: 'fix', selection }, rules }, { signal });
      return [checked, found] as const;
    });
    return {
      facts: {
        file: named.name,
        ...sizesOf(report),
        fixes: fixes.map(([kind, lines]) => ({ fix: kind, does: fixKinds[kind].label, lines, isSafe: fixKinds[kind].isSafe })),
        advice: adviceFor(report, fixes.length > 0),
      },
      list: { name: 'rules', items: toRules(report, maxProblems) },
    };
  },
});

function sizesOf({ lineCount, requestCount, bareCount, invalidCount, fileBytes, bodyBytes, models, problemCounts }: BatchFileReport) {
  return {
    ...{ lines: lineCount, requests: requestCount, bareParams: bareCount, linesWithoutRequest: invalidCount, fileBytes, bodyBytes },
    models: models.slice(0, 20).map(([model, requests]) => ({ model, requests })),
    problems: problemCounts,
  };
}

function toRules({ ruleCounts, problems }: BatchFileReport, most: number): readonly object[] {
  const each = Math.max(1, Math.floor(most / Math.max(1, ruleCounts.length)));
  return ruleCounts.slice(0, most).map(({ rule, count, firstLine }) => {
    const found = problems.filter(problem => problem.rule === rule);
    return { rule, severity: found[0]?.severity, count, firstLine: firstLine + 1, examples: found.slice(0, each).map(toExample) };
  });
}

function toExample({ line, path, text }: Problem): object {
  return {
    line: line + 1,
    pointer: path.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    message: formatText(text),
  };
}

function adviceFor({ requestCount, problemCounts }: BatchFileReport, isFixable: boolean): string {
  if (requestCount === 0) {
    return 'The file has no batch requests. If it is a table or another format, build requests from it (preview_build), or ask the user to convert it.';
  }
  if (problemCounts.error > 0) {
    return isFixable
      ? 'Requests with errors will fail. Apply fixes with write_requests, or edit the lines, then check again.'
      : 'Requests with errors will fail. Edit the lines, then check again.';
  }
  if (problemCounts.warning > 0) {
    return 'The file can be sent, but requests with warnings may fail or cost more. Tell the user about the warnings, and fix them first (write_requests, or edit the lines) unless they are intended. Then call estimate_batch, and propose_batch to let the user send it.';
  }
  return 'The file is ready to send. Call estimate_batch for its cost, and propose_batch to let the user send it.';
}

export const estimateBatchTool = defineTool({
  name: 'estimate_batch',
  needs: 'metadata',
  icon: '$(graph)',
  description:
    'Estimates the size and cost of sending a JSONL request file as one batch, offline and free: number of requests, range of input tokens, maximum output tokens, cost by model if the user has set prices, shared prompt prefixes that could be cached, and counts of secrets and personal data. Use it when the user asks what a batch costs or how large it is, and before propose_batch.',
  input: z.strictObject({ file: fileField }),
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

/** Returns the cost for the models with a price, and the names of the models without a price. */
function moneyOf({ models }: FileSurvey, { prices, currency, folderModels }: EstimateSettings) {
  return {
    currency,
    models: models.slice(0, 20).map(one => {
      const found = findPrice(prices, one.model);
      return {
        ...{ model: one.model, requests: one.requests, inputTokens: one.input, maxOutputTokens: one.maxOutput },
        cost: found === undefined ? 'unknown: no price is set in managedAgents.estimate.prices' : costOf(one, found.price),
        ...(found !== undefined && found.id !== one.model && { priceIsOf: found.id }),
        ...(found !== undefined && folderModels.has(found.id) && { priceIsFrom: "the open folder's settings, not the user's" }),
      };
    }),
  };
}
