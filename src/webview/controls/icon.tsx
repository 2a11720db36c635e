import type { VNode } from 'preact';

/** Paths on a 16 by 16 grid, stroked in the colour of the text. */
const iconPaths = {
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
  more: 'M3.5 7.3v1.4M8 7.3v1.4M12.5 7.3v1.4',
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
  tool: 'M10 2.6a3.4 3.4 0 0 0-3.3 4.6L2.5 11.5l2 2 4.3-4.2A3.4 3.4 0 0 0 13.4 6L11.2 7 9 4.8z',
  message: 'M2.5 3.5h11v7.5H8l-3 2.8V11H2.5z',
  error: 'M5.5 2.5h5l3 3v5l-3 3h-5l-3-3v-5zM8 5v3.8M8 10.8v.6',
  zoomIn: 'M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M10.3 10.3l3.4 3.4M5 7h4M7 5v4',
  zoomOut: 'M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M10.3 10.3l3.4 3.4M5 7h4',
  fit: 'M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3',
  person: 'M8 2.5a2.7 2.7 0 1 1 0 5.4a2.7 2.7 0 0 1 0-5.4M2.8 13.8c.4-2.8 2.5-4.2 5.2-4.2s4.8 1.4 5.2 4.2',
  agent: 'M3 5.5h10v7.5H3zM8 5.5V3M6 8.2v1.4M10 8.2v1.4M6.5 2.8h3M1.5 8.5v2M14.5 8.5v2',
  thinking: 'M6 11.2C4.5 10.3 3.7 8.9 3.7 7a4.3 4.3 0 0 1 8.6 0c0 1.9-.8 3.3-2.3 4.2v1.3H6zM6.5 14.5h3',
  model: 'M4 4h8v8H4zM6.5 4V1.8M9.5 4V1.8M6.5 14.2V12M9.5 14.2V12M4 6.5H1.8M4 9.5H1.8M14.2 6.5H12M14.2 9.5H12',
  thread: 'M4 2.5v6a2 2 0 0 0 2 2h6M9.5 8l2.5 2.5-2.5 2.5M4 8.5v5',
  threadSent: 'M2.5 8h10M9 4.5L12.5 8 9 11.5',
  threadReceived: 'M13.5 8h-10M7 4.5L3.5 8 7 11.5',
  compaction: 'M8 1.8v4M6 4l2 2 2-2M8 14.2v-4M6 12l2-2 2 2M2.5 8h11',
  usage: 'M3 13.5v-4M6.3 13.5v-7M9.7 13.5v-5M13 13.5v-10',
  update: 'M11 2.5l2.5 2.5-8 8H3v-2.5z',
  braces:
    'M6 2.5c-2 0-2 .8-2 2.3S3.8 7.5 2.5 8c1.3.5 1.5 1.7 1.5 3.2s0 2.3 2 2.3M10 2.5c2 0 2 .8 2 2.3s.2 2.7 1.5 3.2c-1.3.5-1.5 1.7-1.5 3.2s0 2.3-2 2.3',
  image: 'M2.5 3h11v10h-11zM2.5 11l3.5-3.5 2.5 2.5 2-2 3 3M10.5 5.5v.6',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M10.3 10.3l3.4 3.4',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  end: 'M8 2.5v8M4.5 7L8 10.5 11.5 7M3.5 13.5h9',
  diff: 'M3 2.5h10v11H3zM8 4.5v4M6 6.5h4M6 11h4',
  goToFile: 'M8 13.5H3.5v-11h5L12 6v2M8.5 2.5V6H12M9 11h5M12 9l2 2-2 2',
  link: 'M6.2 9.8l3.6-3.6M7 4.8l1.7-1.7a2.9 2.9 0 0 1 4.2 4.2L11.2 9M9 11.2l-1.7 1.7a2.9 2.9 0 0 1-4.2-4.2L4.8 7',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
} as const;

export type IconName = keyof typeof iconPaths;

type IconTone = 'plain' | 'warning' | 'error' | 'good';

/** A decorative icon next to text. Screen readers skip it, so the text has to say everything. */
export function Icon({ name, spin = false, tone = 'plain' }: { name: IconName; spin?: boolean; tone?: IconTone }): VNode {
  return (
    <svg class={`icon icon-${tone}${spin ? ' icon-spin' : ''}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={iconPaths[name]} />
    </svg>
  );
}
