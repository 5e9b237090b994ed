/** Reads what counts of a request's header fields, the same for every listener. */

export interface RequestHead {
  /** Why the request is refused with 400; undefined for one that is answered. */
  readonly problem: string | undefined;
  /** A body follows, or it is doubtful where the next request begins: the connection ends with the answer. */
  readonly mustClose: boolean;
  /** Empty where the request has none. */
  readonly acceptEncoding: string;
  readonly ifNoneMatch: string;
}

export interface HeadReader {
  /** Each field in its order; the name in lower case. */
  readonly field: (name: string, value: string) => void;
  /** Of the fields since the last call. `method` as it came: methods are case-sensitive. */
  end(method: string): RequestHead;
}

/** Path, query and all header fields. uWebSockets.js has the limit from the command's entry (src/strata.cts). */
export const MAX_HEAD_BYTES = 16_384;
export const MAX_HEADER_FIELDS = 100;

const ONE_HOST = 'a request has one host header';
const NO_BODY = 'a GET request has no body';
const ONE_LENGTH = 'a request has one content-length, of digits';
const ONE_CODING = 'the only transfer-encoding is chunked, without a content-length';
const TOO_MANY_FIELDS = `a request has no more than ${MAX_HEADER_FIELDS} header fields`;

/**
 * Two readers of one connection that disagree on where a request ends are how requests are smuggled past a proxy
 * (RFC 9112, sections 6.3 and 11.2). So a head that may be read in two ways is refused, and nothing after it is read.
 */
export function createHeadReader(): HeadReader {
  let fields = 0;
  let hosts = 0;
  let lengths = 0;
  let length = '';
  let codings = 0;
  let coding = '';
  let acceptEncoding = '';
  let ifNoneMatch = '';

  const problemOf = (method: string): string | undefined => {
    if (hosts !== 1) return ONE_HOST;
    if (fields > MAX_HEADER_FIELDS) return TOO_MANY_FIELDS;
    if (lengths === 0 && codings === 0) return undefined;
    if (lengths > 1 || (lengths === 1 && !/^\d+$/.test(length))) return ONE_LENGTH;
    if (codings > 1 || (codings === 1 && (lengths > 0 || coding.toLowerCase() !== 'chunked')))
      return ONE_CODING;
    return method === 'GET' && hasBody() ? NO_BODY : undefined;
  };

  const hasBody = (): boolean => codings > 0 || /[^0]/.test(length);

  return {
    field: (name, value) => {
      fields++;
      switch (name) {
        case 'host':
          hosts++;
          break;
        case 'content-length':
          lengths++;
          length = value;
          break;
        case 'transfer-encoding':
          codings++;
          coding = value;
          break;
        case 'accept-encoding':
          acceptEncoding = acceptEncoding === '' ? value : `${acceptEncoding}, ${value}`;
          break;
        case 'if-none-match':
          ifNoneMatch = ifNoneMatch === '' ? value : `${ifNoneMatch}, ${value}`;
          break;
      }
    },
    end: (method) => {
      const problem = problemOf(method);
      const mustClose = problem !== undefined || hasBody();
      const head = { problem, mustClose, acceptEncoding, ifNoneMatch };
      fields = hosts = lengths = codings = 0;
      length = coding = acceptEncoding = ifNoneMatch = '';
      return head;
    },
  };
}
