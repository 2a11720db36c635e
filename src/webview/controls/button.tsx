import type { ComponentChildren, Ref, VNode } from 'preact';
import { Icon, type IconName } from './icon';

interface ButtonProps {
  /** Style. At most one `primary` per group. `icon` shows only the icon and uses `label` as tooltip and accessible name. */
  readonly kind?: 'primary' | 'secondary' | 'icon' | 'link';
  readonly icon?: IconName;
  /** Accessible name and tooltip, if the children don't say everything. Has to contain their text. */
  readonly label?: string;
  /** Tooltip, if the children are the accessible name. */
  readonly hint?: string;
  readonly disabled?: boolean;
  /** True while the button's action is in progress. The button keeps the focus, which `disabled` would remove. */
  readonly isBusy?: boolean;
  readonly isExpanded?: boolean;
  readonly isPressed?: boolean;
  readonly hasMenu?: boolean;
  readonly describedBy?: string;
  readonly onClick: () => void;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  readonly children?: ComponentChildren;
}

/** A button in VS Code's style. Never submits a form. */
export function Button({
  kind = 'secondary',
  icon,
  label,
  hint = label,
  disabled = false,
  isBusy = false,
  isExpanded,
  isPressed,
  hasMenu = false,
  describedBy,
  onClick,
  buttonRef,
  children,
}: ButtonProps): VNode {
  return (
    <button
      type="button"
      class={`button button-${kind}`}
      disabled={disabled}
      title={hint}
      aria-label={label}
      aria-disabled={isBusy ? true : undefined}
      aria-expanded={isExpanded}
      aria-haspopup={hasMenu ? 'menu' : undefined}
      aria-pressed={isPressed}
      aria-describedby={describedBy}
      onClick={isBusy ? undefined : onClick}
      ref={buttonRef}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}
