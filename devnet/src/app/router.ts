import type { Ante, MessageHandler, Module, QueryHandler } from './module.ts';

/** What the modules answer to, by full type URLs and methods. */
export interface Router {
  readonly messages: ReadonlyMap<string, MessageHandler>;
  readonly queries: ReadonlyMap<string, QueryHandler>;
  /** By the type URL of the extension option. */
  readonly antes: ReadonlyMap<string, Ante>;
  /** Messages that come under one extension option alone, and which. */
  readonly bound: ReadonlyMap<string, string>;
}

export function createRouter(modules: readonly Module[], namespace: string): Router {
  const full = (name: string) => name.replaceAll('<ns>', namespace);
  const messages = new Map<string, MessageHandler>();
  const queries = new Map<string, QueryHandler>();
  const antes = new Map<string, Ante>();
  const bound = new Map<string, string>();
  for (const module of modules) {
    for (const [typeUrl, handler] of Object.entries(module.messages)) add(messages, full(typeUrl), handler);
    for (const [method, handler] of Object.entries(module.queries)) add(queries, full(method), handler);
    for (const [option, ante] of Object.entries(module.antes ?? {})) {
      add(antes, full(option), ante);
      for (const typeUrl of ante.messages) add(bound, full(typeUrl), full(option));
    }
  }
  return { messages, queries, antes, bound };
}

function add<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.has(key)) throw new Error(`two modules answer to ${key}`);
  map.set(key, value);
}
