/** `aeva1qyp…4fx9`: the middle is left out where a text is longer than what stays. */
export function shorten(text: string, head = 8, tail = 6): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}

/** With the whole prefix of a bech32 address or 0x before what is kept. */
export function shortAddress(address: string): string {
  const prefix = /^(0x|[a-z]+1)/.exec(address)?.[1] ?? '';
  return shorten(address, prefix.length + 5, 5);
}
