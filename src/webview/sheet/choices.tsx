import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SheetAct, SheetBlock } from '../../shared/sheet/sheetProtocol';

type ChoicesBlock = Extract<SheetBlock, { readonly kind: 'choices' }>;

interface ChoicesProps {
  readonly block: ChoicesBlock;
  readonly act: (act: SheetAct) => void;
}

interface SizeFieldProps {
  readonly size: NonNullable<ChoicesBlock['choices'][number]['size']>;
  readonly choose: (value: number) => void;
}

/** Radio buttons for the requests to send. */
export function Choices({ block: { name, chosen, choices }, act }: ChoicesProps): VNode {
  return (
    <fieldset class="choices">
      <legend class="faint">{name}</legend>
      {choices.map(({ choice, label, size }) => {
        const [before, after = ''] = label.split('{size}');
        const choose = (value?: number): void => act({ type: 'choose', choice, ...(value !== undefined && { size: value }) });
        return (
          <span key={choice} class="choice">
            <label>
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

/** Field for the number of requests of a trial. Typed text stays until the host has another number. */
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
