import type { SheetBlock, Tone } from '../../../../shared/sheet/sheetProtocol';

/** A sentence of its own. */
export function toNote(tone: Tone, text: string): SheetBlock {
  return { kind: 'note', tone, text };
}
