import type { VNode } from 'preact';
import type { SheetAct, SheetBlock } from '../../shared/sheet/sheetProtocol';
import { Button } from '../session/controls/button';
import { TableHead } from './sheetTable';

interface PricesProps {
  readonly block: Extract<SheetBlock, { readonly kind: 'prices' }>;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly act: (act: SheetAct) => void;
}

/** The cost, and the prices of the models with a form to change them. A model without both prices is unchanged. */
export function Prices({ block: { text, edit, head, models, save }, isOpen, onOpen, act }: PricesProps): VNode {
  const [name, input, output] = head;
  const submit = (form: HTMLFormElement): void => {
    const fields = new FormData(form);
    const prices = models.flatMap(({ model }, index) => {
      const [given = '', wanted = ''] = [fields.get(`input${index}`), fields.get(`output${index}`)].map(String);
      return given === '' || wanted === '' ? [] : [{ model, input: Number(given), output: Number(wanted) }];
    });
    act({ type: 'setPrices', prices });
    onOpen(false);
  };
  return (
    <div class="prices">
      <div class="links">
        <span>{text}</span>
        {models.length === 0 ? null : (
          <Button look="link" isExpanded={isOpen} onClick={() => onOpen(!isOpen)}>
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
