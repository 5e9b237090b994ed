/** Names and values of header fields. */
export type HeaderFields = Readonly<Record<string, string>>;

/** How nodes are asked, beside their URLs. Plain data, which also goes to other processes. */
export interface NodeAccess {
  /** What to send to a node, by its URL as it was given. The values are secret. */
  readonly headers: Readonly<Record<string, HeaderFields>>;
  /** A file of PEM certificates to trust besides the bundled ones. Absolute. */
  readonly caPath: string | undefined;
  /** To each node. */
  readonly requestsPerSecond: number | undefined;
}

export const PLAIN_ACCESS: NodeAccess = { headers: {}, caPath: undefined, requestsPerSecond: undefined };
