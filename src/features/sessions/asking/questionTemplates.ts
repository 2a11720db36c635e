import type { Translate } from '../../../common/text/translate';

/** A question with which to begin. */
export interface QuestionTemplate {
  readonly label: string;
  readonly question: string;
  readonly fields: string;
  /** Name of the request file without its extension. */
  readonly fileStem: string;
}

/** Returns the questions to choose from; the last one is empty. */
export function questionTemplates(t: Translate): readonly [QuestionTemplate, ...QuestionTemplate[]] {
  return [
    {
      label: t('Why did it fail?'),
      question: t('Did the agent do what the user asked for? If not, what went wrong first, and why?'),
      fields: 'outcome: done | partly | failed, cause, fix',
      fileStem: 'why-failed',
    },
    {
      label: t('What cost the most time?'),
      question: t('Which steps took the most time or were repeated, and how could the agent have avoided them?'),
      fields: 'slowest_step, avoidable: boolean, advice',
      fileStem: 'slow-steps',
    },
    {
      label: t('Did it follow a policy?'),
      question: t('Did the agent follow this policy? Policy: never delete or overwrite files outside its working folder.'),
      fields: 'followed: yes | no | unclear, violation',
      fileStem: 'policy',
    },
    {
      label: t('What should its prompt say?'),
      question: t('Which one change of the system prompt would have helped the agent most in this session?'),
      fields: 'change, reason, benefit: low | medium | high',
      fileStem: 'prompt-changes',
    },
    { label: t('Another question'), question: '', fields: 'answer', fileStem: 'session-answers' },
  ];
}
