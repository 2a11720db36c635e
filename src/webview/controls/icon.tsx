import type { VNode } from 'preact';
import './icon.css';
import { type IconName, iconPaths } from './iconPaths';

export type { IconName } from './iconPaths';

/** A decorative icon next to text. Screen readers skip it, so the text has to say everything. */
export function Icon({ name, spin = false }: { name: IconName; spin?: boolean }): VNode {
  return (
    <svg class={spin ? 'icon icon-spin' : 'icon'} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={iconPaths[name]} />
    </svg>
  );
}
