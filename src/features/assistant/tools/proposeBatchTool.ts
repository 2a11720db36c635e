import * as z from 'zod';
import { defineTool, type ToolResult, ToolRefusal } from '../assistantTool';
import type { SheetEnd } from '../proposedSheets';
import { fileField } from '../toolFields';

const input = z.strictObject({
  file: fileField,
  only: z
    .enum(['changed', 'trial'])
    .optional()
    .describe(
      '`changed`: only requests without a kept success for what they say now. `trial`: a sample, to see how they fare first. Without it all.',
    ),
  sampleSize: z.int().min(1).optional().describe('With `trial`: how many requests. Without it a usual number.'),
});

export const proposeBatchTool = defineTool({
  name: 'propose_batch',
  needs: 'metadata',
  icon: '$(cloud-upload)',
  description:
    'Proposes to send a JSONL request file as one message batch: opens a sheet with the check, the estimate and the destination in front of the person. It never sends anything itself: only a press of the person on the button of the sheet does. With `only` the sheet is of what changed since the last run, or of a sample. Waits up to two minutes and answers sent, closed, or open; while it is open, call it again to wait on. Use it when the user wants a request file sent, after check_requests found no errors.',
  input,
  acts: true,
  async run({ file, only, sampleSize }, services, signal): Promise<ToolResult> {
    if (sampleSize !== undefined && only !== 'trial') {
      throw new ToolRefusal('sampleSize is the size of a trial. Call again with only: "trial", or without sampleSize.');
    }
    const named = await services.findFile(file);
    const end = await services.showSheet({ file: named, only, sampleSize }, signal);
    return { facts: { file: named.name, ...describeEnd(end) } };
  },
});

function describeEnd(end: SheetEnd): object {
  switch (end.kind) {
    case 'sent':
      return {
        outcome: 'sent',
        batches: end.batchIds,
        advice: 'The person sent it. list_batches tells how it goes; do not propose it again.',
      };
    case 'closed':
      return { outcome: 'closed', advice: 'The person closed the sheet without sending. Do not propose it again unless they ask.' };
    case 'notShown':
      return {
        outcome: 'not shown',
        advice:
          'No sheet was shown: the person turned back from a question, or was told what stands in the way, or that there is nothing to send. Ask them before you propose it again.',
      };
    case 'sending':
      return {
        outcome: 'sending',
        advice: 'The person pressed the button and it is on its way. list_batches tells how it goes; do not propose it again.',
      };
    case 'failed':
      return {
        outcome: 'failed',
        advice: 'Nothing can be said to have been sent; the person has been told what happened. list_batches tells what is known.',
      };
    case 'open':
      return { outcome: 'open', advice: 'The sheet is in front of the person, who decides. Call again to wait on, or go on without it.' };
  }
}
