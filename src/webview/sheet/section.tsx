import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import type { SheetAct, SheetBlock, SheetItem, SheetLink, SheetSection, Tone } from '../../shared/sheet/sheetProtocol';
import { Button } from '../controls/button';
import { useLostFocus } from '../controls/focus';
import { Icon, type IconName } from '../controls/icon';
import { useRememberedFlag } from '../controls/panelContext';

/** One section with its heading. */
export function Section({ section: { id, title, blocks } }: { section: SheetSection }): VNode {
  return (
    <section class="section" aria-labelledby={`title-${id}`}>
      <h2 id={`title-${id}`}>{title}</h2>
      <Blocks id={id} blocks={blocks} />
    </section>
  );
}

/** The blocks of a sheet, one below the other. `id` is the key of their folding state. */
export function Blocks({ id, blocks }: { id: string; blocks: readonly SheetBlock[] }): VNode {
  return (
    <>
      {blocks.map((block, index) => (
        <Block key={`${block.kind}${index}`} block={block} name={`${id}.${block.kind}${index}`} />
      ))}
    </>
  );
}

function Block({ block, name }: { block: SheetBlock; name: string }): VNode {
  switch (block.kind) {
    case 'facts':
      return (
        <dl class="facts">
          {block.rows.map(row => (
            <div key={row.name} class="fact">
              <dt class="faint">{row.name}</dt>
              <dd>
                {row.value} <Links links={row.links} />
              </dd>
            </div>
          ))}
        </dl>
      );
    case 'choices':
      return <Choices block={block} />;
    case 'prices':
      return <Prices block={block} name={name} />;
    case 'table':
      return <Table table={block} fold={name} />;
    case 'list':
      return <List list={block} name={name} />;
    case 'note':
      return (
        <p class={block.tone === 'error' ? 'note errorBox' : 'note'}>
          <ToneIcon tone={block.tone} />
          <span>
            {block.text} <Links links={block.links} />
          </span>
        </p>
      );
    case 'acts':
      return <Links links={block.links} kind={block.isMain === true ? 'primary' : 'secondary'} />;
    case 'fold':
      return (
        <Fold name={name} title={block.title}>
          <ul>
            {block.lines.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Fold>
      );
  }
}

/** Content below a title that folds it. The folding state survives a reload. */
export function Fold({ name, title, children }: { name: string; title: string; children: ComponentChildren }): VNode {
  const [isOpen, setOpen] = useRememberedFlag(`fold ${name}`, false);
  return (
    <details class={name === 'details' ? 'fold details' : 'fold'} open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

type BlockOf<Kind> = Extract<SheetBlock, { readonly kind: Kind }>;

function List({ list: { items, folded }, name }: { list: BlockOf<'list'>; name: string }): VNode {
  const [isWhole, setWhole] = useRememberedFlag(`fold ${name}`, false);
  return (
    <>
      <ul class="list">
        {items.slice(0, isWhole ? items.length : folded?.shown).map((item, index) => (
          <Item key={index} item={item} />
        ))}
      </ul>
      {folded === undefined ? null : (
        <Button kind="link" isExpanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? folded.fewer : folded.more}
        </Button>
      )}
    </>
  );
}

function Item({ item }: { item: SheetItem }): VNode {
  const act = useContext(Act);
  const { links = [], check } = item;
  const textId = useId();
  // Links to a location or a change are next to their text. All other links are below the text.
  const isBeside = ({ act: { type } }: SheetLink) => type === 'openPlace' || type === 'changeCause';
  return (
    <li class="item">
      {check === undefined ? (
        <ToneIcon tone={item.tone} />
      ) : (
        <input
          type="checkbox"
          aria-labelledby={textId}
          checked={check.isChosen}
          disabled={check.isDisabled}
          onChange={event => act({ type: 'chooseCause', cause: check.cause, isChosen: event.currentTarget.checked })}
        />
      )}
      <div>
        <div class="itemText">
          <span id={textId}>{item.text}</span>
          <Links links={links.filter(isBeside)} />
        </div>
        {item.samples === undefined || item.samples.length === 0 ? null : (
          <div class="samples">
            {item.samples.map((sample, index) => (
              <code key={index}>{sample}</code>
            ))}
          </div>
        )}
        {item.detail === undefined ? null : <div class="faint">{item.detail}</div>}
        <Links links={links.filter(link => !isBeside(link))} />
      </div>
    </li>
  );
}

function Table({ table, fold }: { table: BlockOf<'table'>; fold: string }): VNode {
  const { name, head, rows, total, shown, more, fewer } = table;
  const [isWhole, setWhole] = useRememberedFlag(`fold ${fold}`, false);
  const row = (cells: readonly string[]): readonly VNode[] =>
    cells.map((cell, column) =>
      column === 0 ? (
        <th key={column} scope="row">
          {cell}
        </th>
      ) : (
        <td key={column} data-head={head[column]}>
          {cell}
        </td>
      ),
    );
  return (
    <>
      <table class="table" aria-label={name}>
        <TableHead titles={head} />
        <tbody>
          {rows.slice(0, isWhole ? rows.length : shown).map((cells, index) => (
            <tr key={index}>{row(cells)}</tr>
          ))}
        </tbody>
        {total === undefined ? null : (
          <tfoot>
            <tr>{row(total)}</tr>
          </tfoot>
        )}
      </table>
      {rows.length > shown ? (
        <Button kind="link" isExpanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? fewer : more}
        </Button>
      ) : null}
    </>
  );
}

function TableHead({ titles }: { readonly titles: readonly string[] }): VNode {
  return (
    <thead class="faint">
      <tr>
        {titles.map(title => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The cost, the prices of the models, and a form to change the prices. A model is changed only if both prices are given. */
function Prices({ block, name: fold }: { block: BlockOf<'prices'>; name: string }): VNode {
  const { text, count, edit, head, models, save } = block;
  const act = useContext(Act);
  const [isOpen, setOpen] = useRememberedFlag(`fold ${fold}`, false);
  const root = useRef<HTMLDivElement>(null);
  useLostFocus(root, isOpen, () => root.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus());
  const [name, input, output] = head;
  const submit = (form: HTMLFormElement): void => {
    const fields = new FormData(form);
    const prices = models.flatMap(({ model }, index) => {
      const [given = '', wanted = ''] = [fields.get(`input${index}`), fields.get(`output${index}`)].map(String);
      return given === '' || wanted === '' ? [] : [{ model, input: Number(given), output: Number(wanted) }];
    });
    act({ type: 'setPrices', prices });
    setOpen(false);
  };
  return (
    <div class="prices" ref={root}>
      <div class="links">
        <span>{text}</span>
        <Links links={count && [count]} />
        {models.length === 0 ? null : (
          <Button kind="link" isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {edit}
          </Button>
        )}
      </div>
      {isOpen ? (
        <form
          onSubmit={event => {
            event.preventDefault();
            submit(event.currentTarget);
          }}
        >
          <table>
            <TableHead titles={head} />
            <tbody>
              {models.map((model, index) => (
                <tr key={model.model}>
                  <th scope="row">{model.label}</th>
                  {([input, output] as const).map((title, column) => (
                    <td key={title}>
                      <input
                        class="field"
                        type="number"
                        name={`${column === 0 ? 'input' : 'output'}${index}`}
                        aria-label={`${model.label}, ${title}, ${name}`}
                        min={0}
                        step="any"
                        defaultValue={String((column === 0 ? model.input : model.output) ?? '')}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <button type="submit" class="button button-secondary">
            {save}
          </button>
        </form>
      ) : null}
    </div>
  );
}

type ChoicesBlock = BlockOf<'choices'>;

interface SizeFieldProps {
  readonly size: NonNullable<ChoicesBlock['choices'][number]['size']>;
  readonly choose: (value: number) => void;
}

function Choices({ block: { name, chosen, choices } }: { block: ChoicesBlock }): VNode {
  const act = useContext(Act);
  return (
    <fieldset class="choices flexWrap">
      <legend class="faint">{name}</legend>
      {choices.map(({ choice, label, size }) => {
        const [before, after = ''] = label.split('{size}');
        const choose = (value?: number): void => act({ type: 'choose', choice, ...(value !== undefined && { size: value }) });
        return (
          <span key={choice} class="choice flexLine">
            <label class="flexLine">
              <input
                type="radio"
                name="choice"
                aria-label={label.replace('{size}', String(size?.value))}
                checked={choice === chosen}
                onChange={() => choose()}
              />
              {before}
            </label>
            {size === undefined ? null : (
              <>
                <SizeField size={size} choose={choose} />
                {after}
              </>
            )}
          </span>
        );
      })}
    </fieldset>
  );
}

/** Field for the number of requests of a trial. Keeps the typed text until the host sends a different number. */
function SizeField({ size: { name, most, value }, choose }: SizeFieldProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current !== null && field.current !== document.activeElement) {
      field.current.value = String(value);
    }
  }, [value]);
  return (
    <input
      ref={field}
      class="field"
      type="number"
      aria-label={name}
      min={1}
      max={most}
      defaultValue={String(value)}
      onChange={({ currentTarget: { valueAsNumber } }) => {
        if (Number.isInteger(valueAsNumber) && valueAsNumber >= 1 && valueAsNumber <= most) {
          choose(valueAsNumber);
        }
      }}
    />
  );
}

/** Context of the function that performs an action of the sheet. */
export const Act = createContext<(act: SheetAct) => void>(() => {});

interface LinksProps {
  readonly links: readonly SheetLink[] | undefined;
  readonly kind?: 'primary' | 'secondary' | 'link';
}

/** A row of links or buttons. */
export function Links({ links = [], kind = 'link' }: LinksProps): VNode | null {
  const act = useContext(Act);
  return links.length === 0 ? null : (
    <span class={`links links-${kind}`}>
      {links.map(link => (
        <Button key={`${link.label} ${link.name}`} kind={kind} label={link.name} onClick={() => act(link.act)}>
          {link.label}
        </Button>
      ))}
    </span>
  );
}

const icons: Readonly<Record<Exclude<Tone, 'plain'>, IconName>> = { good: 'check', warning: 'warning', error: 'error' };

/** Icon of a tone, so that the tone is not shown by colour alone. */
export function ToneIcon({ tone }: { tone: Tone }): VNode | null {
  return tone === 'plain' ? null : <Icon name={icons[tone]} tone={tone} />;
}
