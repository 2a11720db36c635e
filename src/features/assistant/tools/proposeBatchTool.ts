import * as z from 'zod';
import { defineTool, type Told } from '../assistantTool';
import type { SheetEnd } from '../sheetEnd';
import { fileField } from '../toolFields';

const input = z.strictObject({ file: fileField });

export const proposeBatchTool = defineTool({
  name: 'propose_batch',
  needs: 'metadata',
  icon: '$(cloud-upload)',
  description:
    'Proposes to send a JSONL request file as one message batch: opens a sheet with the check, the estimate and the destination in front of the person. It never sends anything itself: only a press of the person on the button of the sheet does. Waits up to two minutes and answers sent, closed, or open; while it is open, call it again to wait on. Use it when the user wants a request file sent, after check_requests found no errors.',
  input,
  async run({ file }, services, signal): Promise<Told> {
    const named = await services.findFile(file);
    const end = await services.showSheet(named, signal);
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
