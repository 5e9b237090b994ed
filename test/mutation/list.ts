import { API } from './list/api.ts';
import { APP } from './list/app.ts';
import { CORE } from './list/core.ts';
import { DECODE } from './list/decode.ts';
import { DERIVE } from './list/derive.ts';
import { MODULES } from './list/modules.ts';
import { STORE } from './list/store.ts';
import type { Mutation } from './mutation.ts';

/** By area. */
export const MUTATIONS: ReadonlyMap<string, readonly Mutation[]> = new Map([
  ['core', CORE],
  ['decode', DECODE],
  ['derive', DERIVE],
  ['modules', MODULES],
  ['store', STORE],
  ['api', API],
  ['app', APP],
]);
