import { useContext, useState } from 'preact/hooks';
import { Panel } from './panelContext';

/** Longest text that is saved, in characters: the state is sent to the editor at every change. */
const longest = 262_144;

/** State that survives a reload of the panel: a named text. '' is not saved. */
export function useRemembered(name: string, initially = ''): [string, (value: string) => void] {
  const { memory } = useContext(Panel);
  const [held, hold] = useState({ name, value: memory.get(name) ?? initially });
  const current = held.name === name ? held : { name, value: memory.get(name) ?? initially };
  return [
    current.value,
    value => {
      hold({ name, value });
      memory.set(name, value === initially || value.length > longest ? undefined : value);
    },
  ];
}

/** State of something that opens and closes. Survives a reload of the panel. */
export function useRememberedFlag(name: string, initially: boolean): [boolean, (value: boolean) => void] {
  const [value, set] = useRemembered(name, initially ? 'yes' : 'no');
  return [value === 'yes', isOn => set(isOn ? 'yes' : 'no')];
}
