import type { VNode } from 'preact';
import type { Tone } from '../../shared/sheet/sheetProtocol';
import { Icon, type IconName } from '../controls/icon';

const icons: Readonly<Record<Exclude<Tone, 'plain'>, IconName>> = { good: 'check', warning: 'warning', error: 'error' };

/** Icon of a tone, so that the colour is not its only sign. */
export function ToneIcon({ tone }: { tone: Tone }): VNode | null {
  return tone === 'plain' ? null : <Icon name={icons[tone]} />;
}
