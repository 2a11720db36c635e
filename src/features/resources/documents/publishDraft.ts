import * as vscode from 'vscode';
import type { IgnoredField } from '../../../client/ignoredFields';
import type { ServiceClient } from '../../../client/serviceClient';
import { askModal, showFailure, showInformation } from '../../../common/asking/notifications';
import { warnOfIgnored } from '../../../common/asking/warnOfIgnored';
import { CancelledError } from '../../../common/cancellation';
import { tabsOf } from '../../../common/documents/tabs';
import { describeError } from '../../../common/text/describeError';
import { describeIgnored } from '../../../common/text/describeIgnored';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { Reference } from '../../../contributions';
import { listFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { type Definition, parseDefinition, toDefinition, toDefinitionText } from '../definitions/definitionText';
import type { Draft, Drafts } from '../definitions/drafts';
import { isEqual, isLongText, toPatch } from '../definitions/mergeDefinitions';
import { isConflict } from '../lists/resourceErrors';
import { kindNamed, type ResourceFlow, retrieve, toGone } from '../resourceFlow';
import { actWords, type KindDefinition, keyOf, namedIn, type Resource, type ResourceKind, runActOf } from '../resourceKind';
import { mergeThreeWay } from './mergeThreeWay';
import { closeDiffs, confirmBeside, showDiff } from './publishSteps';
import { toShown } from './resourceFiles';

/**
 * Publishes a draft. Shows its changes against the current state on the service, asks, and sends only these changes. Names the version that
 * the changes are based on if the kind has versions. If somebody else published since the draft was created, merges both changes first. The
 * draft stays if anything fails. Asks last for secrets that no document contains, and never stores them.
 */
export async function publishDraft(flow: ResourceFlow, reference: Reference, initial: Draft): Promise<void> {
  const { drafts, files, service } = flow;
  const kind = kindNamed(reference.kind);
  const definition = definitionOf(kind);
  let draft = initial;
  for (;;) {
    const reached = await service.reach(reference.connection, 'change');
    const latest = await retrieve(flow, reached, reference);
    draft = await upToDate(flow, reference, draft, latest);
    const wanted = parseDefinition(draft.text, definition, vscode.l10n.t);
    const before = toDefinition(latest, definition);
    refuse(definition.problem?.(wanted, before, vscode.l10n.t));
    const version = definition.version?.(latest);
    const { fields, changed } = toPatch(before, wanted, version);
    if (changed.length === 0) {
      await drafts.remove(draft.id);
      files.touch(draft.id);
      void showInformation(vscode.l10n.t('Nothing to publish: the draft has no changes.'));
      return;
    }
    const texts = await showChanges(flow, reference, latest, changed, before, wanted);
    await confirm(
      definition,
      kind.name(latest),
      version,
      listFormat(vscode.env.language, { type: 'conjunction' }).format(changed.map(field => toLabel(field, 40))),
      reached.connection.name,
    );
    demandUnchanged(drafts, draft);
    const sent = await withSecrets(fields, definition);
    // Without a version, the service can't detect changes made while the question was open, so the resource is read again.
    const isGuarded = version !== undefined;
    const current = isGuarded ? latest : await retrieve(flow, reached, reference);
    if (!isEqual(toDefinition(current, definition), before)) {
      continue;
    }
    try {
      const { data, ignored } = await callOf(kind, 'update', kind.calls(reached.client, reference.parent).update)(reference.id, sent);
      await published(flow, reference, draft, data, texts);
      const shown = await showIgnored(kind, reached.client, reference, data, ignored);
      if (shown !== data) {
        files.updateListed(reference, shown);
        flow.store.put(reference, shown);
      }
      return;
    } catch (error) {
      if (!isConflict(error)) {
        throw toGone(flow, reference, error);
      }
      // Somebody else published first. Start over from the published version.
    }
  }
}

/**
 * Shows the changes to be published. Long texts are shown in a Markdown diff each, other fields in the diff of the document. Returns the
 * right sides of the Markdown diffs.
 */
async function showChanges(
  flow: ResourceFlow,
  reference: Reference,
  latest: Resource,
  changed: readonly string[],
  before: Definition,
  wanted: Definition,
): Promise<readonly vscode.Uri[]> {
  const texts = changed.filter(field => isLongText(before[field]) || isLongText(wanted[field]));
  if (texts.length < changed.length) {
    await showAgainstService(flow, reference, latest, texts.length === 0);
  }
  const { name, title } = comparisonOf(reference, latest);
  const shown: vscode.Uri[] = [];
  for (const field of texts) {
    const document = (part: string, value: unknown) =>
      flow.files.snapshot(`${name} ${field} (${part}).md`, typeof value === 'string' ? value : '');
    const own = document(vscode.l10n.t('draft'), wanted[field]);
    await showDiff(document(vscode.l10n.t('service'), before[field]), own, `${toLabel(field, 40)} - ${title}`, texts.length === 1);
    shown.push(own);
  }
  return shown;
}

/** Shows a diff of a draft and the current state on the service. */
export async function showAgainstService(flow: ResourceFlow, reference: Reference, value: Resource, isPreview = true): Promise<void> {
  const { base, name, title } = comparisonOf(reference, value);
  const service = flow.files.snapshot(fileName(reference, `${name} (${vscode.l10n.t('service')})`), base.text);
  await showDiff(service, flow.files.uriOf({ view: 'edit', reference }, name), title, isPreview);
}

function fileName({ kind }: Reference, name: string): string {
  return `${name}.${kindNamed(kind).definition?.ending ?? ''}.json`;
}

function comparisonOf({ kind }: Reference, value: Resource) {
  const { base, name } = toShown(kindNamed(kind), value);
  return { base, name, title: wordsOf(name, base.version).comparison };
}

/**
 * Returns the texts about a resource. `version` is `undefined` if the service does not count its versions, and `baseVersion` is the version
 * that the draft is based on.
 */
function wordsOf(name: string, version: number | undefined, baseVersion?: number) {
  const { t } = vscode.l10n;
  return version === undefined
    ? {
        comparison: t('{0}: service ↔ your draft', name),
        question: t('Publish {0}?', name),
        button: t('Publish'),
        title: t('{0} has changed on the service', name),
        theirsLabel: t('Service Version'),
        diffTitle: t('{0}: your base ↔ service', name),
        published: t('Published {0}', name),
      }
    : {
        comparison: t('{0}: version {1} ↔ your draft', name, version),
        question: t('Publish {0} as version {1}?', name, version + 1),
        button: t('Publish Version {0}', version + 1),
        title: t('Version {0} of {1} was published in the meantime', version, name),
        theirsLabel: t('Version {0}', version),
        diffTitle: t('{0}: version {1} ↔ version {2}', name, baseVersion ?? '?', version),
        published: t('Published version {0} of {1}', version, name),
      };
}

async function confirm<T>(definition: KindDefinition<T>, name: string, version: number | undefined, changed: string, connection: string) {
  const detail = definition.sparesSessions
    ? vscode.l10n.t("Changes {0} on {1}. Running sessions aren't affected.", changed, connection)
    : vscode.l10n.t('Changes {0} on {1}', changed, connection);
  const { question, button } = wordsOf(name, version);
  await confirmBeside(question, button, detail, vscode.l10n.t('Keep Editing'));
}

/** Returns the draft, based on the current state on the service. Merges both changes if the service has a newer state. */
async function upToDate(flow: ResourceFlow, reference: Reference, draft: Draft, latest: Resource): Promise<Draft> {
  const kind = kindNamed(reference.kind);
  const definition = definitionOf(kind);
  const theirs = toDefinition(latest, definition);
  const baseState = draft.base ?? { text: '{}' };
  const base = parseDefinition(baseState.text, { ...definition, required: [] }, vscode.l10n.t);
  if (isEqual(base, theirs)) {
    return draft;
  }
  const { base: state, name } = toShown(kind, latest);
  let merged = draft;
  await mergeThreeWay({
    base,
    mine: parseDefinition(draft.text, definition, vscode.l10n.t),
    theirs,
    ...wordsOf(name, state.version, baseState.version),
    texts: { base: baseState.text, mine: draft.text, theirs: state.text },
    fileName: part => fileName(reference, `${name} (${part})`),
    output: flow.files.uriOf({ view: 'edit', reference }, draft.name),
    snapshot: (title, text) => flow.files.snapshot(title, text),
    keep: async definitionNow => {
      merged = { ...draft, base: state, text: toDefinitionText(definitionNow), savedAt: Date.now() };
      await flow.drafts.save(merged);
      flow.files.touch(draft.id);
    },
  });
  return merged;
}

/** Text to create a resource from. Comes from a draft or a file. */
export type CreateSource = Draft | { readonly text: string; readonly location: string };

/**
 * Creates a resource from a text, after asking, and returns it. The question names the location of a file. A draft is removed, and its
 * document closed, before any further question.
 */
export async function createFrom(
  { service, drafts, files }: Pick<ResourceFlow, 'service' | 'drafts' | 'files'>,
  kind: ResourceKind,
  connectionName: string,
  source: CreateSource,
): Promise<Resource> {
  const { t } = vscode.l10n;
  const definition = definitionOf(kind);
  const wanted = parseDefinition(source.text, definition, t);
  refuse(definition.problem?.(wanted, undefined, t));
  const { connection, client } = await service.reach(connectionName, 'change');
  const createDetail = definition.createDetail(t);
  const [detail, stay] =
    'location' in source ? [t('From {0}. {1}', source.location, createDetail), t('Keep As Is')] : [createDetail, t('Keep Editing')];
  await confirmBeside(t('Create "{0}" on {1}?', toLabel(namedIn(wanted, definition), 80), connection.name), t('Create'), detail, stay);
  if ('id' in source) {
    demandUnchanged(drafts, source);
  }
  const sent = await withSecrets(wanted, definition);
  const { data, ignored } = await callOf(kind, 'create', kind.calls(client, undefined).create)(sent);
  vscode.window.setStatusBarMessage(t('Created {0}', withoutIcons(kind.name(data))), 5000);
  if ('id' in source) {
    const location = { view: 'new', connection: connection.name, kind: kind.kind, draftId: source.id } as const;
    await vscode.window.tabGroups.close(tabsOf(files.uriOf(location, source.name)));
    await drafts.remove(source.id);
  }
  return await showIgnored(kind, client, { connection: connection.name, kind: kind.kind, id: data.id }, data, ignored);
}

/**
 * Shows which fields the service ignored. A missing budget is shown in a dialog that offers to pause the resource. Returns the resource's
 * latest state.
 */
async function showIgnored(
  kind: ResourceKind,
  client: ServiceClient,
  reference: Reference,
  value: Resource,
  ignored: readonly IgnoredField[] = [],
): Promise<Resource> {
  const name = kind.name(value);
  if (!ignored.some(({ isMoney }) => isMoney)) {
    warnOfIgnored(name, { ignored });
    return value;
  }
  const pause = kind.acts?.pause;
  const buttons = pause === undefined ? [] : [actWords('pause', name, vscode.l10n.t).button];
  const chosen = await askModal(describeIgnored(name, ignored, vscode.l10n.t), {}, ...buttons);
  if (pause === undefined || chosen === undefined) {
    return value;
  }
  try {
    return ((await runActOf(kind, 'pause', client, reference, value)) as Resource | undefined) ?? value;
  } catch (error) {
    void showFailure(describeError(error));
    return value;
  }
}

/** Returns the document definition of a kind. Throws if the kind has none. */
export function definitionOf(kind: ResourceKind): KindDefinition<Resource> {
  return callOf(kind, 'document', kind.definition);
}

function callOf<C>({ kind }: { readonly kind: string }, what: string, call: C | undefined): C {
  if (call === undefined) {
    throw new Error(`unreachable: ${kind} has no ${what}`);
  }
  return call;
}

async function published(
  flow: ResourceFlow,
  reference: Reference,
  draft: Draft,
  value: Resource,
  texts: readonly vscode.Uri[],
): Promise<void> {
  const { drafts, files, store } = flow;
  const kind = kindNamed(reference.kind);
  const location = { view: 'edit', reference } as const;
  await drafts.remove(draft.id);
  files.updateListed(reference, value);
  files.touch(draft.id);
  store.put(reference, value);
  // Refreshes the lists below the resource, such as its versions.
  const below = store.all().filter(({ parent }) => parent !== undefined && keyOf(parent) === keyOf(reference));
  void Promise.all(below.map(list => list.refresh()));
  await closeDiffs(files.uriOf(location, draft.name), texts);
  await files.open(location, draft.name);
  const words = wordsOf(withoutIcons(kind.name(value)), kind.definition?.version?.(value));
  vscode.window.setStatusBarMessage(words.published, 5000);
}

/** Throws if a draft changed while the question about it was open. */
function demandUnchanged(drafts: Drafts, { id, text }: Draft): void {
  if (drafts.find(id)?.text !== text) {
    throw new Error(vscode.l10n.t('The draft has changed. Publish it again.'));
  }
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) {
    throw new Error(problem);
  }
}

/** Asks for each secret in a password box and stores none. Throws a `CancelledError` if the user cancels. */
async function withSecrets(sent: Definition, definition: KindDefinition<Resource>): Promise<Definition> {
  const ask = async (prompt: string) => {
    const secret = await vscode.window.showInputBox({ prompt, password: true, ignoreFocusOut: true });
    if (secret === undefined) {
      throw new CancelledError();
    }
    return secret;
  };
  return (await definition.withSecrets?.(sent, ask, vscode.l10n.t)) ?? sent;
}
