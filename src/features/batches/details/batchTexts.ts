import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { EstimateSettings } from '../../../common/estimateSettings';
import { join } from '../../../common/text/presentation';
import type { BatchReference } from '../../../contributions';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { type Connections, reach } from '../../connection';
import { generationsOf, type Run, resultsOf, runOf, type SubmissionRegistry, toRuns } from '../../ledger';
import type { BatchTreeItem, GroupTreeItem } from '../batchesTreeDataProvider';
import type { BatchOrGroup } from '../batchCommands';
import { abilitiesOf, type BatchContext, labelOfSource } from '../batchPresentation';
import type { BatchStore } from '../batchStore';
import { costOfReport, describeAliases, describeCost, modelsOf } from '../fileRuns/runCost';
import { toGroupHover, toGroupPage } from '../groups/groupPage';
import { groupAbilities, withoutGroupAbilities } from '../groups/groupPresentation';
import { batchesOf } from '../groups/groupRow';
import { standingOf } from '../standing';
import { toBatchHover, toBatchPage } from './batchDetails';
import { noSurroundings, type PageSubject, type PageSurroundings, toPageLink, toPageLinks } from './pageLinks';
import { describeRunOf, toFamilyList } from './runWords';

/** Pages, JSON and hovers of batches and groups, of what this machine knows or else of what the service says. */
export function createBatchTexts(
  connections: Connections,
  registry: Pick<SubmissionRegistry, 'findByBatch' | 'all'>,
  store: BatchStore,
  presentation: () => BatchContext,
  estimate: () => EstimateSettings,
) {
  const host = (name: string) => {
    const url = connections.find(name)?.baseUrl ?? '';
    return { name, host: URL.canParse(url) ? new URL(url).host : url };
  };
  const seen = ({ connection, batchId }: BatchReference) => registry.findByBatch(connection, batchId);
  const known = (reference: BatchReference) => store.find(reference.connection, reference.batchId) ?? seen(reference)?.batch;
  const batchOf = async (reference: BatchReference) => known(reference) ?? (await retrieve(connections, reference));
  const groupOf = ({ runId }: BatchOrGroup) => (runId === undefined ? undefined : store.group(runId));
  return {
    /** Whether a page can be made without asking the service. */
    isKnown: (reference: BatchOrGroup) => groupOf(reference) !== undefined || known(reference) !== undefined,
    /** What a page is called. */
    title: (reference: BatchOrGroup) => {
      const source = (groupOf(reference)?.run ?? seen(reference))?.source;
      const context = presentation();
      return source === undefined ? toLabel(reference.batchId, 80) : context.translate('Batch of {0}', labelOfSource(source, context));
    },
    page: async (reference: BatchOrGroup) => {
      const group = groupOf(reference);
      const context = presentation();
      const runs = toRuns(registry.all());
      if (group !== undefined) {
        const subject = { abilities: groupAbilities(group), target: reference, runId: group.run.id, submission: undefined };
        return toGroupPage(group, host(group.connection), context, surroundingsOf(runs, group.run, subject, context, estimate()));
      }
      const batch = await batchOf(reference);
      const submission = seen(reference);
      const run = submission && runOf(registry.all(), submission);
      const abilities = abilitiesOf(batch, submission);
      const isPart = run !== undefined && run.parts > 1;
      const subject = {
        ...{ target: reference, submission, runId: run?.id },
        abilities: isPart ? withoutGroupAbilities(abilities) : abilities,
      };
      return toBatchPage(batch, submission, host(reference.connection), context, surroundingsOf(runs, run, subject, context, estimate()));
    },
    json: async (reference: BatchOrGroup) => {
      const group = groupOf(reference);
      return `${JSON.stringify(group === undefined ? await batchOf(reference) : batchesOf(group), null, 2)}\n`;
    },
    hover: (item: BatchTreeItem | GroupTreeItem) =>
      'group' in item
        ? toGroupHover(item.group, host(item.connection), presentation())
        : toBatchHover(item.batch, item.submission, host(item.connection), presentation()),
  };
}

export type BatchTexts = ReturnType<typeof createBatchTexts>;

function surroundingsOf(
  runs: readonly Run[],
  run: Run | undefined,
  subject: PageSubject,
  context: BatchContext,
  { prices, currency }: EstimateSettings,
): PageSurroundings {
  const { translate: t, locale } = context;
  const { target, submission } = subject;
  if (run === undefined) {
    return { ...noSurroundings, links: toPageLinks(subject, context) };
  }
  const family = generationsOf(runs, run);
  // What a part can do as one of several runs its group can.
  const isPart = run.parts > 1 && submission !== undefined;
  const abilities = isPart ? subject.abilities : `${subject.abilities} ${standingOf(runs, run)}`;
  const number = numberFormat(locale);
  const { purpose, firstLine = 0, lastLine = 0 } = submission?.selection ?? {};
  const source =
    purpose === 'part'
      ? t('Open lines {0} to {1}', number.format(firstLine + 1), number.format(lastLine + 1))
      : t('Open {0}', labelOfSource(run.source, context, 60));
  // A part of a group has the cost of its own results.
  const report = (submission === undefined ? resultsOf(run) : submission.results)?.report;
  const cost = report && costOfReport(report, modelsOf(run), prices);
  const words = { ...context, currency };
  const group = { connection: run.connection, batchId: run.lead.batchId ?? '', runId: run.id };
  return {
    links: [
      ...toPageLinks({ ...subject, abilities }, context),
      ...(isPart ? [toPageLink('managedAgents.batch.open', t('Open group'), group)] : []),
      toPageLink('managedAgents.batch.openSource', source, { connection: target.connection, batchId: target.batchId }),
    ],
    run: describeRunOf(submission ?? run.lead, run, family, context),
    family: toFamilyList(family, run, context),
    cost: cost === undefined ? '' : join(' ', describeCost(cost, words), describeAliases(cost.byAlias, words)),
  };
}

async function retrieve(connections: Connections, { connection, batchId }: BatchReference): Promise<MessageBatch> {
  // A page that VS Code opens again was asked for long ago.
  const { client } = await reach(connections, connection, 'look');
  return (await client.batches.retrieve(batchId)).data;
}
