/** What the API listens with: uWebSockets.js or node:http. */
export const HTTP_KINDS = ['uws', 'node'] as const;
export type HttpKind = (typeof HTTP_KINDS)[number];
