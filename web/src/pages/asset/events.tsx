export function Events({ id }: { readonly id: string }) {
  return <p>{id}</p>;
}
