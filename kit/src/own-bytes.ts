/**
 * The parts in one array over memory of its own: bytes that leave a source may be transferred to a worker, which
 * would take a pooled or shared buffer away from its other users.
 */
export function ownBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
