import type { PresentationContext } from '../../../../src/common/text/presentation';
import { fillPlaces } from '../requests/fillPlaces';

/** A context that puts arguments in and translates nothing, at noon of a day. */
export const context: PresentationContext = {
  translate: fillPlaces,
  locale: 'en',
  now: Date.parse('2026-06-01T12:00:00Z'),
};
