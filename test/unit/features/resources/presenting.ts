import type { PresentationContext } from '../../../../src/common/text/presentation';
import { fillPlaceholders } from '../requests/fillPlaceholders';

/** A context with English texts, at noon of a fixed day. */
export const context: PresentationContext = {
  translate: fillPlaceholders,
  locale: 'en',
  now: Date.parse('2026-06-01T12:00:00Z'),
};
