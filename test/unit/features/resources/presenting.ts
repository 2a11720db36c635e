import type { PresentationContext } from '../../../../src/common/text/presentation';

/** A context that puts arguments in and translates nothing, at noon of a day. */
export const context: PresentationContext = {
  translate: (template: string, ...args: readonly unknown[]) =>
    template.replace(/\{(\d)\}/g, (_, index: string) => String(args[Number(index)])),
  locale: 'en',
  now: Date.parse('2026-06-01T12:00:00Z'),
} as PresentationContext;
