/** A message of the app, the indexer or the chain, written as a sentence: `no such asset` is `No such asset.` */
export function sentence(message: string): string {
  const trimmed = message.trim();
  const first = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
