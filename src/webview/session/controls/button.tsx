import type { ComponentChildren, Ref, VNode } from 'preact';
import './button.css';
import { Icon, type IconName } from './icon';

interface ButtonProps {
  /** What it is: one primary at most stands in a group; `icon` shows its picture alone and says `label` on hover and aloud. */
  readonly look?: 'primary' | 'secondary' | 'icon' | 'link';
  readonly icon?: IconName;
  /** Name for a screen reader and a tooltip, where the children do not say all. */
  readonly label?: string;
  readonly disabled?: boolean;
  readonly isExpanded?: boolean;
  readonly isPressed?: boolean;
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
  disabled = false,
  isExpanded,
  isPressed,
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
      title={label}
      aria-label={label}
      aria-expanded={isExpanded}
      aria-pressed={isPressed}
      aria-describedby={describedBy}
      onClick={onClick}
      ref={buttonRef}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}
