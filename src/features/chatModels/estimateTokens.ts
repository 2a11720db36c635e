import { TextScan } from '../../jsonl/survey/textScan';
import { costOf, tokenKind, tokenKinds, toTokenRange } from '../../jsonl/survey/tokenTable';
import type { ChatPart, ChatTurn } from './chatTurns';
import { dataKindOf } from './dataKindOf';

/** Guesses: an image that services do not have to shrink, and a document of a page or two. */
const opaqueTokens = { image: 1_600, document: 3_000, mark: 0, other: 30 } as const;

/**
 * Tokens of a text, or of a message of a chat: the high end of the estimate that request files are surveyed with, since no service
 * of the contract counts them. VS Code fits prompts to a model by it, and what is too long is refused.
 */
export function estimateTokens(said: string | ChatTurn): number {
  const scan = new TextScan();
  scan.tokens = new Float64Array(tokenKinds);
  const parts: readonly ChatPart[] = typeof said === 'string' ? [{ kind: 'text', text: said }] : said.parts;
  let opaque = typeof said === 'string' ? 0 : costOf(tokenKind.message);
  for (const part of parts) {
    opaque += addPart(scan, part);
  }
  return Math.ceil(toTokenRange(scan.tokens).high + opaque);
}

/** Adds what can be read, and answers the tokens of what cannot. */
function addPart(scan: TextScan, part: ChatPart): number {
  switch (part.kind) {
    case 'text':
      addText(scan, part.text);
      return 0;
    case 'call':
      addText(scan, part.name);
      addText(scan, JSON.stringify(part.input) ?? '');
      return costOf(tokenKind.tool);
    case 'result':
      return part.content.reduce((sum, inner) => sum + addPart(scan, inner), costOf(tokenKind.message));
    case 'data': {
      const kind = dataKindOf(part.mimeType);
      if (kind !== 'text') {
        return opaqueTokens[kind];
      }
      addText(scan, new TextDecoder().decode(part.data));
      return 0;
    }
  }
}

function addText(scan: TextScan, text: string): void {
  scan.bytes = Buffer.from(`${JSON.stringify(text.toWellFormed())}\n`);
  scan.scan(0);
}
