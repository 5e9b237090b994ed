/** What the chain told, as it told it. */
export function Json({ value }: { readonly value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
  );
}
