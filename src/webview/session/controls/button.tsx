import type { ComponentChildren, Ref, VNode } from 'preact';
import './button.css';
import './tones.css';
import { Icon, type IconName } from './icon';

interface ButtonProps {
  /** What it is: one primary at most stands in a group; `icon` shows its picture alone and says `label` on hover and aloud. */
  readonly look?: 'primary' | 'secondary' | 'icon' | 'link';
  readonly icon?: IconName;
  /** Name for a screen reader and a tooltip, where the children do not say all; it has to contain what they say. */
  readonly label?: string;
  /** Tooltip that is no name: the children are. */
  readonly hint?: string;
  readonly disabled?: boolean;
  /** It was pressed, and cannot be again for now. It keeps the keyboard, which `disabled` takes away. */
  readonly isBusy?: boolean;
  readonly isExpanded?: boolean;
  readonly isPressed?: boolean;
  /** It opens a menu. */
  readonly hasMenu?: boolean;
  readonly describedBy?: string;
  readonly onClick: () => void;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  readonly children?: ComponentChildren;
}

/** A button in VS Code's look. It never submits anything by itself. */
export function Button({
  look = 'secondary',
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
      class={`button button-${look}`}
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
