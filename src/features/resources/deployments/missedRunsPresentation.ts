import { describeSince, describeTime, type PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { Reference } from '../../../contributions';
import { listFormat } from '../../../shared/formats';
import { join, toLabel } from '../../../shared/text';
import type { Remark } from '../resourcePresentation';

/** Missed times of a deployment that have not been reported yet. */
export interface MissedNews {
  readonly reference: Reference;
  readonly name: string;
  /** Missed times in milliseconds since 1970, ascending. */
  readonly times: readonly number[];
}

const maxNamed = 5;

/** Returns a row for each missed time, latest first, and a short summary of all. */
export function presentMissed(times: readonly number[], context: PresentationContext) {
  const { translate } = context;
  const words = times.length === 1 ? translate('missed 1 run') : translate('missed {0} runs', times.length);
  const label = translate('Missed');
  const remarks = times.map((time): Remark => {
    const at = new Date(time).toISOString();
    const when = describeTime(at, context);
    // The age comes first, because rows are truncated.
    const description = join(' · ', describeSince(at, context), when);
    return {
      ...{ id: String(time), label, description, icon: 'warning', color: 'list.warningForeground' },
      abilities: 'remark missedRun',
      spoken: `${label}, ${description}`,
      tooltip: translate('The run at {0} was missed. You can run it manually.', when),
    };
  });
  return { words, remarks };
}

/** Returns one sentence about all runs missed since the last check. */
export function describeMissed(news: readonly MissedNews[], context: PresentationContext): string {
  const { translate, locale } = context;
  const nameOf = ({ name, reference }: MissedNews) => toLabel(name, 60) || toLabel(reference.id, 60);
  const [first] = news;
  if (first === undefined) {
    return '';
  }
  if (news.length > 1) {
    return translate('{0} deployments missed runs: {1}.', news.length, listNames(news.map(nameOf), locale, translate));
  }
  const last = describeTime(new Date(first.times.at(-1) ?? 0).toISOString(), context);
  return first.times.length === 1
    ? translate('"{0}" missed a scheduled run ({1})', nameOf(first), last)
    : translate('"{0}" missed {1} scheduled runs (last: {2})', nameOf(first), first.times.length, last);
}

function listNames(names: readonly string[], locale: string, translate: Translate): string {
  const shown = names.slice(0, maxNamed);
  const more = names.length > maxNamed ? [translate('{0} more', names.length - maxNamed)] : [];
  return listFormat(locale, { type: 'conjunction' }).format([...shown, ...more]);
}
