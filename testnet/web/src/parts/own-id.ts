import { useState } from 'preact/hooks';

let last = 0;

/**
 * An id for a label and what it labels, no other's on the page. Preact's useId gives the same one twice where a page is
 * loaded later than the frame around it: the label of a page's field was then that of the search.
 */
export function useOwnId(): string {
  const [id] = useState(() => {
    last += 1;
    return `id-${last}`;
  });
  return id;
}
