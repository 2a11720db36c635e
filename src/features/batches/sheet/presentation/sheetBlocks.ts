import type { SheetBlock, Tone } from '../../../../shared/sheet/sheetProtocol';

/** Returns a block with one sentence. */
export function toNote(tone: Tone, text: string): SheetBlock {
  return { kind: 'note', tone, text };
}
