import type { WorkItem, WorkQueueStats } from '../../../client/resources/environments';
import { describeMoment, describeSince, join, type PresentationContext, shortId } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';
import type { GroupRow, Resource, ResourceKind } from '../resourceKind';
import { defineKind } from './defineKind';

/** Queue of a self-hosted environment: work that waits for the user's machines or runs on them (API facts, section 11). */
export const work: ResourceKind<WorkItem> = defineKind({
  kind: 'work',
  icon: 'tasklist',
  title: translate => translate('Work Queue'),
  calls: ({ environments }, parent) => environments.work(parent?.id ?? ''),
  name: ({ id, data }) => shortId(data?.id ?? id),
  row: (item, { translate }) => ({
    ...stateOf(item.state, translate),
    words: [item.data?.id ? translate('session {0}', shortId(item.data.id)) : ''],
    abilities: [...(item.data?.id ? ['hasSession'] : []), ...(item.state === 'stopped' ? [] : ['stoppable'])],
  }),
  time: item => item.stopped_at ?? item.stop_requested_at ?? item.started_at ?? item.acknowledged_at ?? item.created_at,
  facts: (item, context) => {
    const { translate } = context;
    return [
      [translate('State'), stateOf(item.state, translate).label],
      [translate('Session'), item.data?.id ?? ''],
      [translate('Running'), describeMoment(item.acknowledged_at, context)],
      [translate('Started'), describeMoment(item.started_at, context)],
      [translate('Last heartbeat'), describeMoment(item.latest_heartbeat_at, context)],
      [translate('Stop requested'), describeMoment(item.stop_requested_at, context)],
      [translate('Stopped'), describeMoment(item.stopped_at, context)],
    ];
  },
  acts: {
    /** Asks the worker to end the work. Forces the end of work that is already stopping. */
    stop: {
      confirm: (name, translate, current) =>
        isStopping(current)
          ? {
              title: translate('Force "{0}" to stop?', name),
              detail: translate('The work done so far may be lost.'),
              button: translate('Force Stop'),
            }
          : {
              title: translate('Stop "{0}"?', name),
              detail: translate("The worker will be asked to stop. If it doesn't, stop it again to force it."),
              button: translate('Stop'),
            },
      run: async ({ environments }, { id, parent }, current) =>
        (await environments.work(parent?.id ?? '').stop(id, isStopping(current) ? { force: true } : {})).data,
    },
  },
  session: ({ data }) => (data?.type === 'session' || !data?.type ? (data?.id ?? undefined) : undefined),
  summary: async ({ environments }, parent, signal) => {
    const { data } = await environments.work(parent?.id ?? '').stats({ signal });
    return context => presentQueue(data, context);
  },
});

/** Describes the queue briefly. Waiting work without an active worker is a warning. */
export function presentQueue(stats: WorkQueueStats, context: PresentationContext): GroupRow {
  const { translate } = context;
  const depth = stats.depth ?? 0;
  const pending = stats.pending ?? 0;
  const polling = stats.workers_polling;
  const oldest =
    depth + pending > 0 && stats.oldest_queued_at ? translate('oldest {0}', describeSince(stats.oldest_queued_at, context)) : '';
  const waiting = depth === 0 ? translate('nothing queued') : translate('{0} queued', depth);
  const handed = pending === 0 ? '' : translate('{0} running', pending);
  const workers = typeof polling !== 'number' ? '' : polling === 0 ? translate('no workers') : translate('workers: {0}', polling);
  const isStuck = depth > 0 && polling === 0;
  // Problems come first: the rest may be truncated.
  const description = isStuck ? join(' · ', workers, waiting, oldest, handed) : join(' · ', waiting, workers, oldest, handed);
  return isStuck
    ? {
        description,
        icon: 'warning',
        color: 'list.warningForeground',
        spoken: `${description}. ${translate('Work is queued, but no worker is running. Start a worker for this environment.')}`,
      }
    : { description, spoken: description };
}

function stateOf(state: string | null | undefined, translate: Translate) {
  const states: Readonly<Record<string, readonly [label: string, icon: string, color?: string]>> = {
    queued: [translate('Waiting'), 'clock'],
    starting: [translate('Starting'), 'loading~spin'],
    active: [translate('Active'), 'play-circle', 'charts.green'],
    stopping: [translate('Stopping'), 'loading~spin'],
    stopped: [translate('Stopped'), 'circle-slash', 'disabledForeground'],
  };
  const key = state ?? '';
  const known = Object.hasOwn(states, key) ? states[key] : undefined;
  const [label, icon, color] = known ?? [toLabel(key, 40) || translate('Unknown'), 'question'];
  return { label, icon, color };
}

function isStopping(item: Resource): boolean {
  return (item as WorkItem).state === 'stopping';
}
