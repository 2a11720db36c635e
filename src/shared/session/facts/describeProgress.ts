import { numberFormat } from '../../formats';
import { toLabel } from '../../text';
import type { Translate } from '../translateText';
import type { ProgressProblem } from './progress';

/** Describes why a session seems stuck, in a few words. */
export function describeProgress(problem: ProgressProblem, t: Translate, locale: string): string {
  switch (problem.kind) {
    case 'silent': {
      const hours = Math.floor(problem.minutes / 60);
      return hours < 2 ? t('no progress for {0} min', problem.minutes) : t('no progress for {0} hours', numberFormat(locale).format(hours));
    }
    case 'repeats':
      return t('same call {0} times: {1}', problem.count, toLabel(problem.what, 80));
    case 'alternates':
      return t('alternating between two calls');
    case 'fails':
      return t('{0} similar failures: {1}', problem.count, toLabel(problem.what, 80));
    case 'spends': {
      const isCurrency = /^[A-Z]{3}$/i.test(problem.currency);
      const format = numberFormat(locale, isCurrency ? { style: 'currency', currency: problem.currency } : {});
      return t('spent {0} without a message', format.format(problem.cents / 100));
    }
  }
}
