import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { ownValue } from '../../../shared/isRecord';
import type { SessionView } from '../../../shared/session/sessionView';
import { threadNames, toThreadWord } from '../../../shared/session/threadViews';
import type { Translate } from '../../../shared/session/translateText';
import { toByteSize, toLabel } from '../../../shared/text';
import { Button } from '../../controls/button';
import { toMoney } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';
import { visible } from '../../controls/text/visibleText';

interface AttachedProps {
  readonly view: SessionView;
  /** True for an exported file. Nothing can then be changed or loaded from the service. */
  readonly isFile: boolean;
}

/** A named fact of the session, as part of a description list. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <div class="header-fact">
      <dt class="faint">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface ListFactProps {
  readonly name: string;
  readonly summary: string;
  readonly children: ComponentChildren;
  readonly action?: VNode | null;
  readonly isOpen?: boolean;
}

function ListFact({ name, summary, children, action, isOpen = false }: ListFactProps): VNode {
  return (
    <Fact name={name}>
      <details class="header-list" open={isOpen}>
        <summary>{summary}</summary>
        <ul>{children}</ul>
      </details>
      {action}
    </Fact>
  );
}

/** Mounted resources and available vaults, with a button to change them. */
export function Resources({ view: { resources, vaults = [] }, isFile }: AttachedProps): VNode | null {
  const { t, post } = useContext(Panel);
  const shown = [
    ...resources.map(({ type, name, mountPath }) => ({ name, word: toResourceWord(type, t), mountPath })),
    ...vaults.map(name => ({ name, word: t('vault'), mountPath: '' })),
  ];
  const [only] = shown;
  const action = isFile ? null : (
    <Button kind="icon" icon="update" label={t('Session Resources...')} onClick={() => post({ type: 'manageResources' })} />
  );
  if (only === undefined) {
    return isFile ? null : (
      <Fact name={t('Resources')}>
        <span class="faint">{t('none')}</span>
        {action}
      </Fact>
    );
  }
  return (
    <ListFact name={t('Resources')} summary={shown.length === 1 ? toLabel(only.name) : t('{0} attached', shown.length)} action={action}>
      {shown.map(({ name, word, mountPath }, index) => (
        <li key={index}>
          {toLabel(name)} <span class="faint">{word}</span> <code class="header-code">{toLabel(mountPath)}</code>
        </li>
      ))}
    </ListFact>
  );
}

/** Files that the session created, with buttons to open and download them. */
export function CreatedFiles({ view: { createdFiles = [] }, isFile }: AttachedProps): VNode | null {
  const { t, post, locale } = useContext(Panel);
  if (createdFiles.length === 0) {
    return null;
  }
  return (
    <ListFact name={t('Output files')} summary={String(createdFiles.length)} isOpen={createdFiles.length === 1}>
      {createdFiles.map(({ id, name, bytes }) => {
        const shown = toLabel(name, 80);
        return (
          <li key={id}>
            {isFile ? (
              shown
            ) : (
              <Button kind="link" label={t('Open {0}', shown)} onClick={() => post({ type: 'openCreatedFile', id })}>
                {shown}
              </Button>
            )}{' '}
            <span class="faint">{bytes === undefined ? '' : toByteSize(bytes, locale)}</span>
            {isFile ? null : (
              <Button
                kind="icon"
                icon="catchingUp"
                label={t('Download {0}', shown)}
                onClick={() => post({ type: 'downloadCreatedFile', id })}
              />
            )}
          </li>
        );
      })}
    </ListFact>
  );
}

/** Threads with their states and costs. Hidden if the session has only its own thread. */
export function Threads({ threads }: Pick<SessionView, 'threads'>): VNode | null {
  const { t, locale } = useContext(Panel);
  if (threads.length < 2) {
    return null;
  }
  const names = threadNames(threads);
  return (
    <ListFact name={t('Threads')} summary={String(threads.length)}>
      {threads.map(thread => (
        <li key={thread.id}>
          {toLabel(names.get(thread.id) ?? thread.name, 80)} <span class="faint">{toThreadWord(thread, t)}</span>
          {thread.cost === undefined ? '' : ` · ${toMoney(thread.cost, locale)}`}
        </li>
      ))}
    </ListFact>
  );
}

/** Goals, each with the result and explanation of its latest evaluation. */
export function Outcomes({ outcomes }: Pick<SessionView, 'outcomes'>): VNode | null {
  const { t } = useContext(Panel);
  return outcomes.length === 0 ? null : (
    <ListFact name={t('Outcomes')} summary={outcomes.map(({ result }) => toResultWord(result, t)).join(', ')}>
      {outcomes.map(({ id, description, result, iteration, explanation }) => (
        <li key={id}>
          {visible(description)}{' '}
          <span class="faint">
            {toResultWord(result, t)}
            {iteration === undefined ? '' : ` · ${t('iteration {0}', iteration)}`}
          </span>
          {explanation === '' ? null : <p class="header-words">{visible(explanation)}</p>}
        </li>
      ))}
    </ListFact>
  );
}

function toResultWord(result: string, t: Translate): string {
  const words = {
    '': t('not evaluated yet'),
    pending: t('not evaluated yet'),
    running: t('in progress'),
    evaluating: t('being evaluated'),
    satisfied: t('satisfied'),
    needs_revision: t('needs revision'),
    max_iterations_reached: t('iteration limit reached'),
    failed: t('failed'),
    interrupted: t('interrupted'),
  };
  return ownValue(words, result) ?? toLabel(result);
}

function toResourceWord(type: string, t: Translate): string {
  const words = {
    file: t('file'),
    git_repository: t('repository'),
    github_repository: t('repository'),
    memory_store: t('memory store'),
  };
  return ownValue(words, type) ?? toLabel(type, 40);
}
