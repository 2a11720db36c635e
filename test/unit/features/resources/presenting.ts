import type { PresentationContext } from '../../../../src/common/text/presentation';
import { fillPlaces } from '../requests/fillPlaces';

/** A context that fills in arguments without translating, at noon of a fixed day. */
export const context: PresentationContext = {
  translate: fillPlaces,
  locale: 'en',
  now: Date.parse('2026-06-01T12:00:00Z'),
};
