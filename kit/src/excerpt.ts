/** Of a text from outside, in an error or a log line: enough for any message of CometBFT and the SDK but a stack trace. */
const MOST_CHARS = 500;

/**
 * At most 500 characters of a text from outside, and how long it was. Its own memory: a slice would keep the whole text,
 * which may be an answer of 256 MB, as long as the error lives.
 */
export function excerptOf(text: string): string {
  if (text.length <= MOST_CHARS) return text;
  const head = Buffer.from(text.slice(0, MOST_CHARS), 'utf8').toString('utf8');
  return `${head}… (cut, ${text.length} characters in all)`;
}
