import { numberFormat } from '../../../../shared/formats';
import type { SheetBlock, Tone } from '../../../../shared/sheet/sheetProtocol';

/** A sentence of its own. */
export function toNote(tone: Tone, text: string): SheetBlock {
  return { kind: 'note', tone, text };
}

/** A number with the user's separators. */
export function toNumber(value: number, locale: string): string {
  return numberFormat(locale).format(value);
}
