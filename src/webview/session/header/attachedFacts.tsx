import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { SessionView } from '../../../shared/session/sessionView';
import type { Translate } from '../../../shared/session/translateText';
import { toByteSize, toLabel } from '../../../shared/text';
import { Button } from '../controls/button';
import { Panel } from '../panelContext';
import { Fact } from './fact';

interface ResourcesProps {
  readonly view: SessionView;
  /** An exported file: there is nothing to change and nothing to read. */
  readonly isFile: boolean;
}

/** What is mounted and which vaults can be used, with the way to change it. */
export function Resources({ view: { resources, vaults = [] }, isFile }: ResourcesProps): VNode | null {
  const { t, post } = useContext(Panel);
  const shown = [
    ...resources.map(({ type, name, mountPath }) => ({ name, word: toResourceWord(type, t), mountPath })),
    ...vaults.map(name => ({ name, word: t('vault'), mountPath: '' })),
  ];
  const [only] = shown;
  if (only === undefined && isFile) {
    return null;
  }
  return (
    <Fact name={t('Resources')}>
      <span class="header-list">
        {only === undefined ? (
          <span class="header-quiet">{t('none')}</span>
        ) : (
          <details class="header-resources">
            <summary>{shown.length === 1 ? toLabel(only.name) : t('{0} attached', shown.length)}</summary>
            <ul>
              {shown.map(({ name, word, mountPath }, index) => (
                <li key={index}>
                  {toLabel(name)} <span class="header-quiet">{word}</span> <code class="header-code">{toLabel(mountPath)}</code>
                </li>
              ))}
            </ul>
          </details>
        )}
        {isFile ? null : (
          <Button look="icon" icon="update" label={t('Session Resources…')} onClick={() => post({ type: 'manageResources' })} />
        )}
      </span>
    </Fact>
  );
}

type Made = NonNullable<SessionView['made']>[number];

/** The files that the session made, each to be opened or downloaded. */
export function MadeFiles({ view: { made = [] }, isFile }: ResourcesProps): VNode | null {
  const { t } = useContext(Panel);
  const [only, ...others] = made;
  if (only === undefined) {
    return null;
  }
  return (
    <Fact name={t('Made')}>
      {others.length === 0 ? (
        <span class="header-list">
          <MadeFile file={only} isFile={isFile} />
        </span>
      ) : (
        <details class="header-resources">
          <summary>{made.length === 1 ? t('1 file') : t('{0} files', made.length)}</summary>
          <ul>
            {made.map(file => (
              <li key={file.id}>
                <MadeFile file={file} isFile={isFile} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </Fact>
  );
}

function MadeFile({ file: { id, name, bytes }, isFile }: { file: Made; isFile: boolean }): VNode {
  const { t, post, locale } = useContext(Panel);
  const size = <span class="header-quiet">{bytes === undefined ? '' : toByteSize(bytes, locale)}</span>;
  if (isFile) {
    return (
      <>
        {toLabel(name, 80)} {size}
      </>
    );
  }
  const shown = toLabel(name, 80);
  return (
    <>
      <Button look="link" label={t('Open {0}', shown)} onClick={() => post({ type: 'openMadeFile', id })}>
        {shown}
      </Button>{' '}
      {size}
      <Button look="icon" icon="catchingUp" label={t('Download {0}', shown)} onClick={() => post({ type: 'downloadMadeFile', id })} />
    </>
  );
}

function toResourceWord(type: string, t: Translate): string {
  switch (type) {
    case 'file':
      return t('file');
    case 'git_repository':
    case 'github_repository':
      return t('repository');
    case 'memory_store':
      return t('memory store');
    default:
      return toLabel(type, 40);
  }
}
