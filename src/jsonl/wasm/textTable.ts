// AssemblyScript. Looks up texts in the hash tables that ../checking/scanMemory.ts writes.

// Words of a slot in a table of 64 texts: address, length, target, bit.
const SLOT_LENGTH: usize = 4;
export const SLOT_TARGET: usize = 8;
export const SLOT_BIT: usize = 12;

/** Returns the slot of the text [start, end) in a table of texts, or 0 if the table lacks the text. */
export function lookUp(table: usize, start: usize, end: usize): usize {
  const length = <u32>(end - start);
  if (length == 0) {
    return 0;
  }
  let index = (length * 31 + <u32>load<u8>(start) * 7 + <u32>load<u8>(end - 1) * 13) & 63;
  while (true) {
    const slot = table + (index << 4);
    const text = <usize>load<u32>(slot);
    if (text == 0) {
      return 0;
    }
    if (load<u32>(slot + SLOT_LENGTH) == length && areSame(text, start, length)) {
      return slot;
    }
    index = (index + 1) & 63;
  }
}

function areSame(a: usize, b: usize, length: u32): bool {
  while (length >= 8) {
    if (load<u64>(a) != load<u64>(b)) {
      return false;
    }
    a += 8;
    b += 8;
    length -= 8;
  }
  while (length > 0) {
    if (load<u8>(a) != load<u8>(b)) {
      return false;
    }
    a++;
    b++;
    length--;
  }
  return true;
}
