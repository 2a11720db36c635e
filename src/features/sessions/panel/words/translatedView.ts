import type { Translate } from '../../../../common/text/translate';
import type { SessionView } from '../../../../shared/session/sessionView';

/** A view with its own words, which are English until here, in the user's language. */
export function translatedView(view: SessionView, t: Translate): SessionView {
  return {
    ...view,
    threads: view.threads.map(thread => (thread.isPrimary ? { ...thread, name: t('Main') } : thread)),
    ...(view.whyNot === undefined ? {} : { whyNot: t(view.whyNot) }),
  };
}
