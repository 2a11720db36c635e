import type { VNode } from 'preact';
import type { SheetAct, SheetBlock } from '../../shared/sheet/sheetProtocol';

type ChoicesBlock = Extract<SheetBlock, { readonly kind: 'choices' }>;

interface ChoicesProps {
  readonly block: ChoicesBlock;
  readonly act: (act: SheetAct) => void;
}

/** Radio buttons for which requests are sent. */
export function Choices({ block: { name, chosen, choices }, act }: ChoicesProps): VNode {
  return (
    <fieldset class="choices">
      <legend>{name}</legend>
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
              <label>
                <input
                  type="number"
                  aria-label={size.name}
                  min={1}
                  max={size.most}
                  value={size.value}
                  onChange={({ currentTarget: { valueAsNumber: value } }) => {
                    if (Number.isInteger(value) && value >= 1 && value <= size.most) {
                      choose(value);
                    }
                  }}
                />
                {after}
              </label>
            )}
          </span>
        );
      })}
    </fieldset>
  );
}
