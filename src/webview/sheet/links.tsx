import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { SheetAct, SheetLink, Tone } from '../../shared/sheet/sheetProtocol';
import { Button } from '../controls/button';
import { Icon, type IconName } from '../controls/icon';

/** Actions of the sheet, and the names of the unfolded parts. */
export const Sheet = createContext<{
  readonly act: (act: SheetAct) => void;
  readonly unfolded: ReadonlySet<string>;
  readonly toggle: (name: string, isOpen: boolean) => void;
}>({ act: () => {}, unfolded: new Set(), toggle: () => {} });

/** Returns the folding state of a part of the sheet, which survives a reload. */
export function useFold(name: string): readonly [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const { unfolded, toggle } = useContext(Sheet);
  return [unfolded.has(name), isOpen => toggle(name, isOpen)];
}

interface LinksProps {
  readonly links: readonly SheetLink[] | undefined;
  readonly kind?: 'primary' | 'secondary' | 'link';
}

/** A row of links or buttons. */
export function Links({ links = [], kind = 'link' }: LinksProps): VNode | null {
  const { act } = useContext(Sheet);
  return links.length === 0 ? null : (
    <span class={`links links-${kind}`}>
      {links.map(link => (
        <Button key={`${link.label} ${link.name}`} kind={kind} label={link.name} onClick={() => act(link.act)}>
          {link.label}
        </Button>
      ))}
    </span>
  );
}

const icons: Readonly<Record<Exclude<Tone, 'plain'>, IconName>> = { good: 'check', warning: 'warning', error: 'error' };

/** Icon of a tone, so that the tone is not shown by colour alone. */
export function ToneIcon({ tone }: { tone: Tone }): VNode | null {
  return tone === 'plain' ? null : <Icon name={icons[tone]} tone={tone} />;
}
