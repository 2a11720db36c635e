import { Component, createRef, type RefObject, type VNode } from 'preact';
import type { Row } from '../../../shared/session/rows/rows';
import { type LoadedParts, Panel, type PanelContext } from '../panelContext';
import { RowActions } from '../rows/rowActions';
import { RowContent } from '../rows/rowContent';
import type { RowsContext } from '../rows/rowsContext';
import { isErrorRow, isWaitingRow, rowName } from '../rows/rowWords';

import { showMatches } from '../toolbar/matchMarks';
import { NewRowsPill } from './newRowsPill';
import type { RowLooks } from './rowLooks';
import './timeline.css';
import { performAct } from './timelineActs';
import { actOfKey, isWanted, type TimelineAct } from './timelineKeys';
import type { TimelineModel } from './timelineModel';

interface TimelineProps {
  /** Holds this list while it is in the page. */
  readonly handle: RefObject<Timeline | null>;
  readonly model: TimelineModel;
  readonly looks: RowLooks;
  readonly loadedParts: LoadedParts;
  /** What all rows share; another one draws them all again. */
  readonly shared: RowsContext;
  /** The row as it is to be shown: at an earlier moment, in a replay. */
  readonly toShown: (row: Row) => Row;
  readonly label: string;
  readonly isBusy: boolean;
  readonly pattern: RegExp | undefined;
  readonly onSelect: (key: string) => void;
  /** The user asked for what is not the list's to do. */
  readonly onAct: (act: 'search' | 'keys') => void;
  /** Another part of the list is in view, or the end is followed or not any more. */
  readonly onMoved: () => void;
}

/** Rows are drawn this many pixels above and below what is in view. */
const margin = 90;
/** How often a picture is drawn again because rows turned out higher or lower than thought. */
const mostPasses = 6;

/**
 * The rows of a thread: a list that draws only what is in view, whatever its length. What is read stays in place when rows change or come
 * above it; the end is followed until the user scrolls up. One row at a time can be reached by Tab; the keys of `timelineKeys` move it.
 */
export class Timeline extends Component<TimelineProps, object> {
  static override contextType = Panel;
  readonly #list = createRef<HTMLDivElement>();
  readonly #elements = new Map<string, HTMLElement>();
  readonly #sizes = new ResizeObserver(() => this.#takeSizes());
  readonly #rowRefs = new Map<string, (element: HTMLElement | null) => void>();
  #viewport = 600;
  #top = 0;
  /** Where the list was scrolled to from here; any other place is the user's doing. */
  #expectedTop = 0;
  #activeKey: string | undefined;
  #hoverKey: string | undefined;
  #markedKey: string | undefined;
  #wantsFocus = false;
  #hasFocus = false;
  #passes = 0;

  /** Scrolls to a row, marks it and gives it the keyboard if asked to; false when it is not shown. */
  reveal(key: string, { focus = false, mark = true } = {}): boolean {
    const position = this.props.model.positionOf(key);
    if (position < 0) {
      return false;
    }
    this.props.model.reveal(position, this.#top, this.#viewport, 'third');
    this.#activeKey = key;
    this.#markedKey = mark ? key : undefined;
    this.#wantsFocus = focus;
    this.props.onSelect(key);
    this.#moved();
    return true;
  }

  /** Gives the keyboard to the row it was on last. */
  focus(): void {
    const position = this.#activePosition();
    if (position >= 0) {
      this.focusRow(position);
    }
  }

  /** Height of what is in view, in pixels. */
  get viewport(): number {
    return this.#viewport;
  }

  /** Sends a message to the host. */
  get post(): PanelContext['post'] {
    const { post }: PanelContext = this.context;
    return post;
  }

  /** The row that the keyboard is on, or that the next look for something starts from. */
  get activeRow(): Row | undefined {
    return this.props.model.rowAt(this.#activePosition());
  }

  /** Goes to the next row an act looks for, from the top again after the end; false when there is none. */
  goToNext(act: TimelineAct): boolean {
    const { model } = this.props;
    const from = this.#activeKey === undefined ? -1 : this.#activePosition();
    for (let step = 1; step <= model.length; step++) {
      const position = (from + step + model.length) % model.length;
      const row = model.rowAt(position);
      if (row !== undefined && isWanted(act, row)) {
        this.reveal(row.key, { focus: true });
        return true;
      }
    }
    return false;
  }

  /** Goes to the end and follows it. */
  follow(): void {
    this.props.model.follow();
    this.#moved();
  }

  override componentDidMount(): void {
    this.props.handle.current = this;
    if (this.#list.current !== null) {
      this.#sizes.observe(this.#list.current);
      this.#viewport = this.#list.current.clientHeight;
    }
    this.forceUpdate();
  }

  override componentWillUnmount(): void {
    this.props.handle.current = null;
    this.#sizes.disconnect();
  }

  override componentDidUpdate(before: TimelineProps): void {
    if (before.model !== this.props.model) {
      this.#activeKey = undefined;
      this.#markedKey = undefined;
    }
    this.#settle();
  }

  override render({ model, looks, loadedParts, shared, toShown, label, isBusy }: TimelineProps): VNode {
    const { t }: PanelContext = this.context;
    if (this.#passes === 0) {
      this.#noticeScroll();
    }
    this.#top = model.scrollTopFor(this.#viewport);
    const range = model.rangeAt(this.#top, this.#viewport, margin);
    const active = this.#activePosition();
    const positions = Array.from({ length: range.to - range.from }, (_, offset) => range.from + offset);
    // The row with the keyboard stays in the page wherever it is: otherwise the keyboard would be lost.
    if (this.#hasFocus && active >= 0 && active < range.from) {
      positions.unshift(active);
    } else if (this.#hasFocus && active >= range.to) {
      positions.push(active);
    }
    return (
      <div class="timelineFrame">
        <div
          class="timeline"
          role="feed"
          aria-label={label}
          aria-busy={isBusy}
          ref={this.#list}
          onScroll={this.#onScroll}
          onWheel={this.#onWheel}
          onKeyDown={this.#onKeyDown}
          onFocusIn={this.#onFocusIn}
          onFocusOut={this.#onFocusOut}
          onPointerOver={this.#onPointerOver}
          onPointerLeave={this.#onPointerLeave}
        >
          <div class="extent" role="presentation" style={{ height: `${model.totalHeight}px` }}>
            {positions.map(position => {
              const kept = model.rowAt(position);
              if (kept === undefined) {
                return null;
              }
              const row = toShown(kept);
              const isActive = position === active;
              const isRaw = looks.isRaw(row);
              return (
                <article
                  key={row.key}
                  ref={this.#refFor(row.key)}
                  class={this.#classOf(row, isRaw)}
                  style={{ top: `${model.topOf(position)}px` }}
                  tabIndex={isActive ? 0 : -1}
                  aria-label={rowName(row, t)}
                  aria-posinset={position + 1}
                  aria-setsize={model.length}
                >
                  <RowContent row={row} isOpen={looks.isOpen(row)} isRaw={isRaw} loadedParts={loadedParts} shared={shared} />
                  {isActive || row.key === this.#hoverKey ? (
                    <RowActions row={row} isRaw={isRaw} onRaw={() => this.setRaw(row, !isRaw)} />
                  ) : null}
                </article>
              );
            })}
          </div>
        </div>
        <NewRowsPill isFollowing={model.isFollowing} count={model.newRows} onClick={() => this.follow()} />
      </div>
    );
  }

  /** Opens or folds a row and keeps its first line where it is. */
  setOpen(key: string, isOpen: boolean): void {
    const { model, looks } = this.props;
    model.hold(model.positionOf(key), this.#top);
    looks.setOpen(key, isOpen);
    this.#moved();
  }

  #classOf(row: Row, isRaw: boolean): string {
    const names = ['row', `row-${row.kind}`];
    if (row.kind === 'error' && row.retry === 'retrying') {
      names.push('isRetrying');
    } else if (isErrorRow(row)) {
      names.push('isError');
    } else if (isWaitingRow(row) || (row.kind === 'status' && (row.waitsFor?.length ?? 0) > 0)) {
      names.push('isWaiting');
    }
    if (isRaw) {
      names.push('isRaw');
    }
    if (row.key === this.#markedKey) {
      names.push('isMarked');
    }
    return names.join(' ');
  }

  #activePosition(): number {
    const { model } = this.props;
    const position = this.#activeKey === undefined ? -1 : model.positionOf(this.#activeKey);
    if (position >= 0) {
      return position;
    }
    return model.isFollowing ? model.length - 1 : Math.min(model.positionAt(this.#top), model.length - 1);
  }

  #refFor(key: string): (element: HTMLElement | null) => void {
    const known = this.#rowRefs.get(key);
    if (known !== undefined) {
      return known;
    }
    const take = (element: HTMLElement | null): void => {
      const before = this.#elements.get(key);
      if (before !== undefined && before !== element) {
        this.#sizes.unobserve(before);
        this.#elements.delete(key);
      }
      if (element === null) {
        this.#rowRefs.delete(key);
      } else {
        this.#elements.set(key, element);
        this.#sizes.observe(element);
      }
    };
    this.#rowRefs.set(key, take);
    return take;
  }

  /** After drawing: measures what was drawn, draws again if that moves anything, and then scrolls to where the list has to be. */
  #settle(): void {
    const list = this.#list.current;
    if (list === null) {
      return;
    }
    if (this.#measure() && this.#passes < mostPasses) {
      this.#passes++;
      this.forceUpdate();
      return;
    }
    this.#passes = 0;
    if (Math.abs(list.scrollTop - this.#top) >= 1) {
      list.scrollTop = this.#top;
    }
    this.#expectedTop = list.scrollTop;
    if (!this.props.model.isFollowing && this.#top > this.props.model.totalHeight - this.#viewport - 0.5) {
      this.follow();
    }
    if (this.#wantsFocus && this.#activeKey !== undefined) {
      this.#wantsFocus = false;
      this.#elements.get(this.#activeKey)?.focus({ preventScroll: true });
    }
    this.#keepTabStops();
    showMatches(list, this.props.pattern);
  }

  /** Tab comes to one row and what is in it, and then leaves the list. */
  #keepTabStops(): void {
    const active = this.activeRow?.key;
    for (const [key, element] of this.#elements) {
      const tabIndex = key === active ? 0 : -1;
      for (const control of element.querySelectorAll<HTMLElement>('button:not(.rowHead), [tabindex]:not(.rowHead)')) {
        control.tabIndex = tabIndex;
      }
    }
  }

  #measure(): boolean {
    const { model } = this.props;
    let isChanged = false;
    for (const [key, element] of this.#elements) {
      const position = model.positionOf(key);
      if (position >= 0 && model.measure(position, key, element.getBoundingClientRect().height)) {
        isChanged = true;
      }
    }
    return isChanged;
  }

  #takeSizes(): void {
    const height = this.#list.current?.clientHeight ?? this.#viewport;
    const isResized = height !== this.#viewport;
    this.#viewport = height;
    if (this.#measure() || isResized) {
      this.forceUpdate();
    }
  }

  readonly #onScroll = (): void => {
    if (this.#noticeScroll()) {
      this.#moved();
    }
  };

  /** Takes over where the user has scrolled to. Asked before every drawing: the page tells of it later than it does it. */
  #noticeScroll(): boolean {
    const list = this.#list.current;
    const top = list?.scrollTop ?? 0;
    // A list that has grown is moved by the page to where it ends now: when a notice above it goes away, for instance.
    const isMovedByPage = list !== null && list.clientHeight > this.#viewport && top >= list.scrollHeight - list.clientHeight - 1;
    const isUsers = Math.abs(top - this.#expectedTop) > 1 && !isMovedByPage;
    if (isUsers) {
      this.props.model.userScrolled(this.#expectedTop, top, this.#viewport);
      this.#expectedTop = top;
      this.props.onMoved();
    }
    return isUsers;
  }

  readonly #onWheel = (event: WheelEvent): void => {
    if (event.deltaY < 0 && this.props.model.isFollowing) {
      this.props.model.letGo(this.#top);
    }
  };

  readonly #onFocusIn = (event: FocusEvent): void => {
    this.#hasFocus = true;
    const key = this.#keyOf(event.target);
    if (key !== undefined && key !== this.#activeKey) {
      this.#activeKey = key;
      this.props.onSelect(key);
      this.forceUpdate();
    }
  };

  readonly #onFocusOut = (event: FocusEvent): void => {
    this.#hasFocus = event.relatedTarget instanceof Node && this.#list.current?.contains(event.relatedTarget) === true;
  };

  readonly #onPointerOver = (event: PointerEvent): void => {
    this.#hover(this.#keyOf(event.target));
  };

  readonly #onPointerLeave = (): void => this.#hover(undefined);

  #hover(key: string | undefined): void {
    if (key !== this.#hoverKey) {
      this.#hoverKey = key;
      this.forceUpdate();
    }
  }

  #keyOf(target: EventTarget | null): string | undefined {
    const article = target instanceof Element ? target.closest('article') : null;
    for (const [key, element] of this.#elements) {
      if (element === article) {
        return key;
      }
    }
    return undefined;
  }

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    const act = actOfKey(event);
    const isOnRow = event.target instanceof HTMLElement && event.target.matches('article');
    // Within a row, links and buttons have their own use for the keys that press them, and long texts for those that scroll.
    if (act === undefined || (!isOnRow && /^(?:Enter| |Arrow|Page|Home|End)/.test(event.key))) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    performAct(act, this.#activePosition(), this);
  };

  /** Shows a row raw or rendered and keeps its first line where it is. */
  setRaw(row: Row, isRaw: boolean): void {
    const { model, looks } = this.props;
    model.hold(model.positionOf(row.key), this.#top);
    looks.setRaw(row.key, isRaw);
    this.#moved();
  }

  /** Gives the keyboard to the row at this position, or the nearest there is. */
  focusRow(wanted: number): void {
    const { model, onSelect } = this.props;
    const position = Math.max(0, Math.min(wanted, model.length - 1));
    const row = model.rowAt(position);
    if (row === undefined) {
      return;
    }
    this.#activeKey = row.key;
    this.#markedKey = undefined;
    this.#wantsFocus = true;
    this.#hasFocus = true;
    model.reveal(position, this.#top, this.#viewport);
    onSelect(row.key);
    this.#moved();
  }

  #moved(): void {
    this.props.onMoved();
    this.forceUpdate();
  }
}
