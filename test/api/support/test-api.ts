import { systemClock } from 'strata-kit/clock';
import { expect } from 'vitest';
import { type Api, type ApiOptions, createApi } from '../../../src/api/api.ts';
import { readIdentity } from '../../../src/api/identity.ts';
import { type ChainState, openChainState } from '../../../src/api/state.ts';
import { migrate } from '../../../src/store/migrations.ts';
import type { Store, StoreFactory } from '../../../src/store/store.ts';
import { matchPath, validateAnswer, validateHeaders } from '../../support/contract.ts';
import { TEST_CURSOR_KEY } from '../../support/fixed-state.ts';
import { openTestStores } from '../../support/stores.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CHAIN_ID, HRP, ModelChain } from './model-chain.ts';

/** The API over an embedded store that holds a ModelChain, called without a socket. */
export interface TestApi {
  readonly api: Api;
  readonly chain: ModelChain;
  readonly factory: StoreFactory;
  readonly writer: Store;
  readonly state: ChainState;
  /** What the operator would have heard of. */
  readonly reported: unknown[];
  /** Writes the chain's new blocks and waits until answers show them. */
  commit(chainHeight?: number): Promise<void>;
  close(): Promise<void>;
}

export const OPENAPI_TEXT = 'openapi: 3.0.3\n';

export async function openTestApi(seed: number, options: Partial<ApiOptions> = {}): Promise<TestApi> {
  const folder = await temporaryFolder();
  const factory = await openTestStores(folder.path);
  const writer = await factory.open('writer');
  await migrate(writer);
  const reported: unknown[] = [];
  const reportError = (error: unknown) => {
    reported.push(error);
  };
  const state = await openChainState({
    store: await factory.open('state'),
    clock: systemClock,
    pollMs: 60_000,
    reportError,
  });
  const api = createApi({
    readers: [await factory.open('reader-0'), await factory.open('reader-1')],
    state,
    chain: readIdentity(new Map(), CHAIN_ID, HRP, 'aeva'),
    cursorKey: TEST_CURSOR_KEY,
    openapi: Buffer.from(OPENAPI_TEXT),
    clock: systemClock,
    reportError,
    ...options,
  });
  const chain = new ModelChain(seed);
  return {
    api,
    chain,
    factory,
    writer,
    state,
    reported,
    commit: async (chainHeight) => {
      await chain.commit(writer, factory.spoolFolder, chainHeight);
      state.notify('changed');
      while (state.current().indexedHeight !== chain.head.height) await systemClock.sleep(1);
    },
    close: async () => {
      await state.close();
      await factory.close();
      await folder.remove();
    },
  };
}

export interface JsonAnswer<T> {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly json: T;
}

/** One request, its body parsed and held against openapi.yaml. */
export async function ask<T = Record<string, unknown>>(
  api: Api,
  target: string,
  method = 'GET',
): Promise<JsonAnswer<T>> {
  const answer = await api.handle(method, target);
  const json = JSON.parse(Buffer.from(answer.body).toString('utf8')) as T;
  const template = matchPath(target);
  const headers = new Map(answer.headers);
  if (template !== undefined) {
    expect(validateAnswer(template, answer.status, json), target).toEqual([]);
    expect(validateHeaders(template, answer.status, headers)).toEqual([]);
  }
  return { status: answer.status, headers, json };
}
