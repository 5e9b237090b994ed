/** What the floor does with a body: utf8 and JSON.parse, once, and nothing else. */
export function parse(bodies: readonly Uint8Array[]): number {
  let length = 0;
  for (const body of bodies) {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
    JSON.parse(text);
    length += text.length;
  }
  return length;
}
