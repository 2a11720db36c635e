import type { SessionView } from '../../../shared/session/sessionView';
import type { PanelContext } from '../../controls/panelContext';

/** A panel action that the composer offers after `/`. */
export interface ComposerAct {
  readonly name: string;
  readonly detail: string;
  readonly run: () => void;
}

/** Actions of the panel around the composer. */
export interface PanelActs {
  readonly onExport: () => void;
  readonly onSearch: () => void;
  readonly onKeys: () => void;
  /** Returns the key of the row from which a new session can continue, or `undefined` if there is none. */
  readonly lastKey: () => string | undefined;
}

interface ActsOptions extends PanelActs {
  readonly view: SessionView;
  /** Interrupts the displayed thread or session. `undefined` if nothing can be interrupted. */
  readonly interrupt: (() => void) | undefined;
  readonly defineOutcome: () => void;
}

/** Returns the actions that are possible now. Each is also a button of the panel. */
export function composerActs({ post, t }: Pick<PanelContext, 'post' | 't'>, options: ActsOptions): readonly ComposerAct[] {
  const { interrupt, defineOutcome, onExport, onSearch, onKeys, lastKey, view } = options;
  const key = lastKey();
  return [
    ...(interrupt === undefined ? [] : [{ name: 'interrupt', detail: t('Interrupt'), run: interrupt }]),
    { name: 'outcome', detail: t('Define Outcome…'), run: defineOutcome },
    { name: 'export', detail: t('Export…'), run: onExport },
    ...(key === undefined ? [] : [{ name: 'again', detail: t('Start Again From Here…'), run: () => post({ type: 'startAgain', key }) }]),
    { name: 'resources', detail: t('Session Resources…'), run: () => post({ type: 'manageResources' }) },
    ...(view.budget === undefined ? [] : [{ name: 'budget', detail: t('Change Budget…'), run: () => post({ type: 'changeBudget' }) }]),
    { name: 'search', detail: t('Search the timeline'), run: onSearch },
    { name: 'keys', detail: t('Keyboard Shortcuts'), run: onKeys },
  ];
}
