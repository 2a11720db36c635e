import type { VNode } from 'preact';
import './icon.css';

/** Paths on a 16 by 16 grid, drawn as lines in the colour of the text. */
const paths = {
  running: 'M13.5 8a5.5 5.5 0 1 1-5.5-5.5',
  waiting: 'M8 2a4 4 0 0 1 4 4v3l1.5 2.5h-11L4 9V6a4 4 0 0 1 4-4M6.5 13.5h3',
  idle: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11M5.5 8h5',
  rescheduling: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11M8 5v3.2l2.3 1.6',
  terminated: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11M6 6l4 4M10 6l-4 4',
  archived: 'M2.5 3.5h11v3h-11zM3.5 6.5v6h9v-6M6.5 9h3',
  deleted: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9',
  unknown: 'M6 6a2 2 0 1 1 2.6 1.9c-.5.2-.6.5-.6 1.1M8 11.5v.6M8 2.2a5.8 5.8 0 1 1 0 11.6a5.8 5.8 0 0 1 0-11.6',
  live: 'M5.2 5.2a4 4 0 0 0 0 5.6M10.8 5.2a4 4 0 0 1 0 5.6M3.2 3.2a6.8 6.8 0 0 0 0 9.6M12.8 3.2a6.8 6.8 0 0 1 0 9.6M8 7.3a.7.7 0 1 1 0 1.4a.7.7 0 0 1 0-1.4',
  catchingUp: 'M8 2.5v8M4.5 7.5L8 11l3.5-3.5M3 13.5h10',
  reconnecting: 'M13 6A5.3 5.3 0 0 0 3.4 5.2M3 2.5v3h3M3 10a5.3 5.3 0 0 0 9.6.8M13 13.5v-3h-3',
  ended: 'M4 4h8v8H4z',
  file: 'M4 2.5h5L12.5 6v7.5H4zM9 2.5V6h3.5',
  chevronDown: 'M4 6l4 4 4-4',
  chevronRight: 'M6 4l4 4-4 4',
  chevronLeft: 'M10 4L6 8l4 4',
  check: 'M3 8.5l3.2 3.2L13 5',
  cross: 'M4 4l8 8M12 4l-8 8',
  warning: 'M8 2.5L14.5 13.5h-13zM8 6.5v3.2M8 11.3v.6',
  info: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11M8 7.5v3.5M8 5v.6',
  send: 'M2.5 8L13.5 3l-3 10.5-3-4.5zM7.5 9l6-6',
  stop: 'M4.5 4.5h7v7h-7z',
  outcome: 'M4 14V2.5h8l-2 3 2 3H4',
  open: 'M9 2.5h4.5V7M13.5 2.5L8 8M11.5 9.5v4h-9v-9h4',
  play: 'M5 3.5v9L12.5 8z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  first: 'M4 4v8M12 4L7 8l5 4',
  last: 'M12 4v8M4 4l5 4-5 4',
  tool: 'M10 2.6a3.4 3.4 0 0 0-3.3 4.6L2.5 11.5l2 2 4.3-4.2A3.4 3.4 0 0 0 13.4 6L11.2 7 9 4.8z',
  message: 'M2.5 3.5h11v7.5H8l-3 2.8V11H2.5z',
  error: 'M5.5 2.5h5l3 3v5l-3 3h-5l-3-3v-5zM8 5v3.8M8 10.8v.6',
  zoomIn: 'M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M10.3 10.3l3.4 3.4M5 7h4M7 5v4',
  zoomOut: 'M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M10.3 10.3l3.4 3.4M5 7h4',
  fit: 'M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
} as const;

export type IconName = keyof typeof paths;

/** A picture beside words; a screen reader passes over it, so the words must say all. */
export function Icon({ name, spin = false }: { name: IconName; spin?: boolean }): VNode {
  return (
    <svg class={spin ? 'icon icon-spin' : 'icon'} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
