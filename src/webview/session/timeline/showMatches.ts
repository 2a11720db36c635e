/** Maximum number of highlights: more would slow down every scroll. */
const mostMarks = 2000;

/** Highlights the matches in the text of an element; `undefined` highlights nothing. Uses CSS highlights, which change no element. */
export function showMatches(element: HTMLElement, pattern: RegExp | undefined): void {
  if (pattern === undefined) {
    CSS.highlights.delete('search');
    return;
  }
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null && ranges.length < mostMarks; node = texts.nextNode()) {
    for (const match of (node.nodeValue ?? '').matchAll(pattern)) {
      if (match[0] !== '' && ranges.length < mostMarks) {
        const range = new Range();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set('search', new Highlight(...ranges));
}
