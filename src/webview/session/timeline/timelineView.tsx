import { Component, createRef, type RefObject, type VNode } from 'preact';
import { Panel, type PanelContext } from '../../controls/panelContext';
import { ListScroll, type ListWindow } from '../../list/listWindow';
import type { RowsContext } from '../rowsContext';
import './timeline.css';
import { useContext } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import { Button } from '../../controls/button';
import { actOfEvent, type Jump, jumps, performAct } from './timelineKeys';
import type { OpenRows, TimelineModel } from './timelineModel';
import { TimelineRow } from './timelineRow';

/** Height above and below the viewport in which rows are rendered, in pixels. */
const margin = 90;
/** Wheel distance of one line in pixels, for a list that the page can't scroll natively. */
const lineHeight = 18;
/** Maximum number of repeated renders if rows are higher or lower than estimated. */
const maxPasses = 6;

interface TimelineProps {
  readonly handle: RefObject<Timeline | null>;
  readonly model: TimelineModel;
  readonly open: OpenRows;
  /** Data shared by all rows. A new object renders all rows again. */
  readonly shared: RowsContext;
  readonly label: string;
  readonly isBusy: boolean;
  readonly pattern: RegExp | undefined;
  readonly onSelect: (key: string) => void;
  readonly onAct: (act: 'search' | 'keys') => void;
  /** Called when the visible part changes, or following the end starts or stops. */
  readonly onMoved: () => void;
}

/**
 * Virtual list of a thread's rows, which renders only the rows in view. The visible row stays in place when rows change or arrive above it.
 * The list follows its end until the user scrolls up. Tab reaches one row at a time. The keys of `timelineKeys` move between rows.
 */
export class Timeline extends Component<TimelineProps, object> {
  static override contextType = Panel;
  readonly #list = createRef<HTMLDivElement>();
  readonly #sizes = new ResizeObserver(() => this.#takeSizes());
  readonly #scroll = new ListScroll();
  /** Key of the row that has the focus, or had it last. */
  #active: string | undefined;
  #hovered: string | undefined;
  #marked: string | undefined;
  /** True while the focus is in the list. The active row then stays rendered, wherever it is. */
  #isFocused = false;
  /** True if the active row should get the focus once it is rendered. */
  #wantsFocus = false;
  #passes = 0;

  /** Scrolls to a row, marks it, and focuses it if requested. Returns false if the row is not shown. */
  reveal(key: string, takesFocus = false): boolean {
    const position = this.props.model.positionOf(key);
    if (position < 0) {
      return false;
    }
    this.props.model.reveal(position, this.#scroll.top, this.viewport, 'third');
    this.#active = key;
    this.#marked = key;
    this.#wantsFocus = takesFocus;
    this.props.onSelect(key);
    this.#moved();
    return true;
  }

  focus(): void {
    this.focusRow(this.#activePosition());
  }

  get viewport(): number {
    return this.#scroll.viewport;
  }

  get #window(): ListWindow {
    return this.props.model.window(this.viewport);
  }

  get post(): PanelContext['post'] {
    return (this.context as PanelContext).post;
  }

  /** Key of the focused row, or of the row from which the next search starts. */
  get activeKey(): string | undefined {
    return this.props.model.keyAt(this.#activePosition());
  }

  /** Goes to the next row at which the jump stops, wrapping around at the end. Returns false if there is no such row. */
  goToNext(jump: Jump): boolean {
    const { model } = this.props;
    const from = this.#active === undefined ? -1 : this.#activePosition();
    for (let step = 1; step <= model.length; step++) {
      const row = model.rowAt((from + step + model.length) % model.length);
      if (row !== undefined && jumps[jump](row)) {
        return this.reveal(row.key, true);
      }
    }
    return false;
  }

  get thread(): string {
    return this.props.shared.thread;
  }

  follow(): void {
    this.props.model.follow();
    this.#moved();
  }

  override componentDidMount(): void {
    this.props.handle.current = this;
    if (this.#list.current !== null) {
      this.#sizes.observe(this.#list.current);
      this.#scroll.resize(this.#list.current);
    }
    this.forceUpdate();
  }

  override componentWillUnmount(): void {
    this.props.handle.current = null;
    this.#sizes.disconnect();
  }

  override componentDidUpdate(before: TimelineProps): void {
    if (before.model !== this.props.model) {
      this.#active = undefined;
      this.#marked = undefined;
    }
    this.#settle();
  }

  override render({ model, label, isBusy, open, shared }: TimelineProps): VNode {
    if (this.#passes === 0) {
      this.#noticeScroll();
    }
    this.#scroll.top = model.scrollTopFor(this.viewport);
    const window = this.#window;
    const active = this.#activePosition();
    return (
      <div class="timelineFrame">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a feed, except while it has no article */}
        <div
          class="timeline"
          {...(model.length === 0 ? {} : { role: 'feed', 'aria-label': label, 'aria-busy': isBusy })}
          ref={this.#list}
          onScroll={this.#onScroll}
          onWheel={this.#onWheel}
          onKeyDown={this.#onKeyDown}
          onFocusIn={this.#onFocusIn}
          onFocusOut={this.#onFocusOut}
          onPointerOver={this.#onPointerOver}
          onPointerLeave={() => this.#hover(undefined)}
        >
          <div class="extent" role="presentation" style={{ height: `${window.extent}px` }}>
            {window.renderedOf(window.rangeAt(this.#scroll.top, margin), this.#isFocused ? active : undefined).map(position => {
              const row = model.rowAt(position);
              const key = row?.key ?? '';
              return row === undefined ? null : (
                <TimelineRow
                  key={key}
                  {...{ position, shared, count: model.length, row, isOpen: open.isOpen(row) }}
                  top={window.offsetOf(position, this.#scroll.top)}
                  isActive={position === active}
                  isHovered={key === this.#hovered}
                  isMarked={key === this.#marked}
                />
              );
            })}
          </div>
        </div>
        <NewRowsPill isFollowing={model.isFollowing} count={model.newRows} onClick={() => this.follow()} />
      </div>
    );
  }

  /** Opens or folds a row and keeps its first line in place. */
  setOpen(key: string, isOpen: boolean): void {
    const { model, open } = this.props;
    model.hold(model.positionOf(key), this.#scroll.top);
    open.setOpen(key, isOpen);
    this.#moved();
  }

  #activePosition(): number {
    const { model } = this.props;
    const position = this.#active === undefined ? -1 : model.positionOf(this.#active);
    if (position >= 0) {
      return position;
    }
    return model.isFollowing ? model.length - 1 : Math.min(model.heights.find(this.#scroll.top), model.length - 1);
  }

  /** Runs after each render: measures the rows, renders again if heights changed, and then restores the scroll position. */
  #settle(): void {
    const list = this.#list.current;
    if (list === null) {
      return;
    }
    if (this.#measure() && this.#passes < maxPasses) {
      this.#passes++;
      this.forceUpdate();
      return;
    }
    this.#passes = 0;
    this.#scroll.apply(list, this.#window);
    if (!this.props.model.isFollowing && this.#scroll.top > this.props.model.heights.total - this.viewport - 0.5) {
      this.follow();
    }
    const wanted = this.#wantsFocus ? this.#active : undefined;
    this.#wantsFocus = false;
    const active = this.activeKey;
    for (const article of this.#articles()) {
      this.#sizes.observe(article);
      if (article.dataset.key === wanted) {
        article.focus({ preventScroll: true });
      }
      // Tab visits only the controls of the active row.
      const tabIndex = article.dataset.key === active ? 0 : -1;
      for (const control of article.querySelectorAll<HTMLElement>('button:not(.rowHead), [tabindex]:not(.rowHead)')) {
        control.tabIndex = tabIndex;
      }
    }
    showMatches(list, this.props.pattern);
  }

  #articles(): Iterable<HTMLElement> {
    return this.#list.current?.querySelectorAll<HTMLElement>('article') ?? [];
  }

  /** Measures the rendered rows. Returns whether any height differs from the expected height. */
  #measure(): boolean {
    const { model } = this.props;
    let isChanged = false;
    for (const article of this.#articles()) {
      const { key = '' } = article.dataset;
      const position = model.positionOf(key);
      isChanged = (position >= 0 && model.measure(position, key, article.getBoundingClientRect().height)) || isChanged;
    }
    return isChanged;
  }

  #takeSizes(): void {
    const isResized = this.#scroll.resize(this.#list.current);
    if (this.#measure() || isResized) {
      this.forceUpdate();
    }
  }

  readonly #onScroll = (): void => {
    if (this.#noticeScroll()) {
      this.#moved();
    }
  };

  /** Reads the scroll position before every render, because the scroll event arrives later. Returns whether the user has scrolled. */
  #noticeScroll(): boolean {
    const scrolled = this.#scroll.byUser(this.#list.current, this.#window);
    if (scrolled !== undefined) {
      this.props.model.userScrolled(scrolled.from, scrolled.to, this.viewport);
      this.props.onMoved();
    }
    return scrolled !== undefined;
  }

  readonly #onWheel = (event: WheelEvent): void => {
    const { model } = this.props;
    const to = this.#window.topAfterWheel(event, this.#scroll.top, lineHeight);
    if (to !== undefined) {
      event.preventDefault();
      model.userScrolled(this.#scroll.top, to, this.viewport);
      this.#moved();
    } else if (event.deltaY < 0 && model.isFollowing) {
      model.letGo(this.#scroll.top);
    }
  };

  readonly #onFocusIn = (event: FocusEvent): void => {
    const key = this.#keyOf(event.target);
    this.#isFocused = true;
    if (key !== undefined && key !== this.#active) {
      this.#active = key;
      this.props.onSelect(key);
      this.forceUpdate();
    }
  };

  readonly #onFocusOut = (event: FocusEvent): void => {
    this.#isFocused = event.relatedTarget instanceof Node && this.#list.current?.contains(event.relatedTarget) === true;
  };

  readonly #onPointerOver = ({ target }: PointerEvent): void => this.#hover(this.#keyOf(target));

  #hover(key: string | undefined): void {
    if (key !== this.#hovered) {
      this.#hovered = key;
      this.forceUpdate();
    }
  }

  #keyOf(target: EventTarget | null): string | undefined {
    return target instanceof Element ? target.closest('article')?.dataset.key : undefined;
  }

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    const act = actOfEvent(event);
    if (act !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      performAct(act, this.#activePosition(), this);
    }
  };

  focusRow(position: number): void {
    const { model, onSelect } = this.props;
    const key = model.keyAt(position);
    if (key === undefined) {
      return;
    }
    this.#active = key;
    this.#marked = undefined;
    this.#wantsFocus = true;
    this.#isFocused = true;
    model.reveal(position, this.#scroll.top, this.viewport);
    onSelect(key);
    this.#moved();
  }

  #moved(): void {
    this.props.onMoved();
    this.forceUpdate();
  }
}

/** Maximum number of highlights. More highlights would slow down every scroll. */
const maxMarks = 2000;

/** Highlights the matches in the text of an element. `undefined` highlights nothing. Uses CSS highlights, which change no element. */
function showMatches(element: HTMLElement, pattern: RegExp | undefined): void {
  if (pattern === undefined) {
    CSS.highlights.delete('search');
    return;
  }
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null && ranges.length < maxMarks; node = texts.nextNode()) {
    for (const match of (node.nodeValue ?? '').matchAll(pattern)) {
      if (match[0] !== '' && ranges.length < maxMarks) {
        const range = new Range();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set('search', new Highlight(...ranges));
}

/** Button that shows how many rows arrived while the end was not followed, and jumps to the end. */
function NewRowsPill({ isFollowing, count, onClick }: { isFollowing: boolean; count: number; onClick: () => void }): VNode | null {
  const { t, locale } = useContext(Panel);
  return isFollowing ? null : (
    <div class="newRows">
      <Button kind={count > 0 ? 'primary' : 'secondary'} icon="end" onClick={onClick}>
        {count === 0 ? t('Jump to Latest') : t('{0} New', toNumber(count, locale))}
      </Button>
    </div>
  );
}
