import { TextScan } from '../../jsonl/survey/textScan';
import { costOf, tokenKind, toTokenRange } from '../../jsonl/survey/tokenTable';
import { type ChatPart, type ChatTurn, dataKindOf } from './toMessageRequest';

/** Estimated tokens of data: an image of the largest size that services don't shrink, a document of one or two pages. */
const opaqueTokens = { image: 1_600, document: 3_000, mark: 0, other: 30 } as const;

/**
 * Estimates the tokens of a text or a chat message without a call to the service. Returns the upper end of the estimate for request files,
 * because VS Code uses it to shorten prompts and services reject prompts that are too long.
 */
export function estimateTokens(said: string | ChatTurn): number {
  const scan = new TextScan();
  const parts: readonly ChatPart[] = typeof said === 'string' ? [{ kind: 'text', text: said }] : said.parts;
  let opaque = typeof said === 'string' ? 0 : costOf(tokenKind.message);
  for (const part of parts) {
    opaque += addPart(scan, part);
  }
  return Math.ceil(toTokenRange(scan.tokens).high + opaque);
}

/** Adds the text of a part to the scan. Returns the estimated tokens of any other part. */
function addPart(scan: TextScan, part: ChatPart): number {
  switch (part.kind) {
    case 'text':
      scan.scan(part.text);
      return 0;
    case 'call':
      scan.scan(part.name);
      scan.scan(JSON.stringify(part.input) ?? '');
      return costOf(tokenKind.tool);
    case 'result':
      return part.content.reduce((sum, inner) => sum + addPart(scan, inner), costOf(tokenKind.message));
    case 'data': {
      const kind = dataKindOf(part.mimeType);
      if (kind !== 'text') {
        return opaqueTokens[kind];
      }
      scan.scan(new TextDecoder().decode(part.data));
      return 0;
    }
  }
}
