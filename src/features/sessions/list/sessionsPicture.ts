import { describeError } from '../../../common/text/describeError';
import type { PresentationContext } from '../../../common/text/presentation';
import { numberFormat } from '../../../shared/formats';
import { join } from '../../../shared/text';
import { describeFilter, isFiltering } from './sessionFilter';
import { minuteOf, presentBadge } from './sessionPresentation';
import { describeSort, type SessionListing, type SessionStore, type SessionsState } from './sessionStore';

/** Message, heading, badge and context keys of the Sessions view. */
export interface SessionsPicture {
  readonly message: string | undefined;
  readonly description: string;
  readonly badge: { readonly value: number; readonly tooltip: string } | undefined;
  readonly state: SessionsState;
  readonly isFiltered: boolean;
}

/** Renders the Sessions view. Each part is rendered only if it changed. */
export class SessionsDrawing {
  private shown = '';
  private rows: readonly unknown[] | undefined;
  private beside = '';

  constructor(
    private readonly store: SessionStore,
    private readonly listing: Pick<SessionListing, 'isFilteredHere'>,
    private readonly context: () => PresentationContext,
    private readonly canvas: { readonly show: (picture: SessionsPicture) => void; readonly drawRows: () => void },
  ) {}

  draw(): void {
    const { store, listing, canvas } = this;
    const context = this.context();
    const coverage = store.coverage;
    const picture: SessionsPicture = {
      message: describeListing(store, listing, context),
      description: join(
        ' · ',
        describeFilter(store.filter, context.translate),
        store.sort === 'needsYou' ? '' : describeSort(store.sort, context.translate),
      ),
      badge: presentBadge(store.needing().length, coverage, context),
      state: store.state,
      isFiltered: isFiltering(store.filter),
    };
    const shown = JSON.stringify(picture);
    if (shown !== this.shown) {
      this.shown = shown;
      canvas.show(picture);
    }
    const rows = store.sort === 'needsYou' ? store.groups() : store.sessions();
    const beside = JSON.stringify([coverage, store.more, minuteOf(context)]);
    if (rows !== this.rows || beside !== this.beside) {
      this.rows = rows;
      this.beside = beside;
      canvas.drawRows();
    }
  }
}

/**
 * Describes why the rows may be incomplete, and how many sessions are known. Returns `undefined` without rows, because a message would hide
 * the welcome content.
 */
export function describeListing(
  store: SessionStore,
  { isFilteredHere }: Pick<SessionListing, 'isFilteredHere'>,
  context: PresentationContext,
): string | undefined {
  const { translate } = context;
  if (store.state !== 'filled') {
    return undefined;
  }
  if (store.list.problem !== undefined) {
    return translate("Couldn't refresh: {0}", describeError(store.list.problem));
  }
  const noted = isFilteredHere ? translate('Only loaded sessions are filtered.') : '';
  return join(' ', noted, describeHidden(store, context), describeCoverage(store, context)) || undefined;
}

/** Describes how many sessions that need the user are hidden by the filter. Returns '' if no session is hidden. */
function describeHidden(store: SessionStore, { translate, locale }: PresentationContext): string {
  const shown = store.groups().find(({ name }) => name === 'needsYou')?.sessions.length ?? 0;
  const hidden = store.needing().length - shown;
  return hidden === 0 ? '' : translate('Sessions that need you, hidden by the filter: {0}.', numberFormat(locale).format(hidden));
}

/** Describes how many sessions are known. Returns '' if all sessions are known. */
export function describeCoverage({ coverage }: Pick<SessionStore, 'coverage'>, { translate, locale }: PresentationContext): string {
  const { known, isPart, reach } = coverage;
  return isPart && reach !== 'none' ? translate('Newest {0} sessions checked.', numberFormat(locale).format(known)) : '';
}
