import type { VNode } from 'preact';
import type { SheetAct, SheetLink, Tone } from '../../shared/sheet/sheetProtocol';
import { Button } from '../controls/button';
import { Icon, type IconName } from '../controls/icon';

interface LinksProps {
  readonly links: readonly SheetLink[] | undefined;
  readonly act: (act: SheetAct) => void;
  readonly look?: 'primary' | 'secondary' | 'link';
}

/** A row of links or buttons. */
export function Links({ links = [], act, look = 'link' }: LinksProps): VNode | null {
  return links.length === 0 ? null : (
    <span class={`links links-${look}`}>
      {links.map(link => (
        <Button key={`${link.label} ${link.name}`} look={look} label={link.name} onClick={() => act(link.act)}>
          {link.label}
        </Button>
      ))}
    </span>
  );
}

const icons: Readonly<Record<Exclude<Tone, 'plain'>, IconName>> = { good: 'check', warning: 'warning', error: 'error' };

/** Icon of a tone, so that the colour is not its only sign. */
export function ToneIcon({ tone }: { tone: Tone }): VNode | null {
  return tone === 'plain' ? null : <Icon name={icons[tone]} />;
}
