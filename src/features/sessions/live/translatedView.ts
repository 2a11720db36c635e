import type { Translate } from '../../../common/text/translate';
import type { SessionView } from '../../../shared/session/sessionView';

/** Returns a view whose own texts are translated. Before, they are in English. */
export function translatedView(view: SessionView, t: Translate): SessionView {
  return {
    ...view,
    threads: view.threads.map(thread => (thread.isPrimary ? { ...thread, name: t('Main') } : thread)),
    ...(view.whyNot === undefined ? {} : { whyNot: t(view.whyNot) }),
  };
}
