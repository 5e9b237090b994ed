import { type Codec, openCodec } from 'strata-kit/codec/codec';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Module } from '../../src/app/module.ts';
import { assetModule } from '../../src/modules/asset/module.ts';
import { attestationModule } from '../../src/modules/attestation/module.ts';
import { BALANCES, mint, moduleAddress, SUPPLY, send } from '../../src/modules/bank/keeper.ts';
import { bankModule } from '../../src/modules/bank/module.ts';
import { bridgeModule } from '../../src/modules/bridge/module.ts';
import { delegationModule } from '../../src/modules/delegation/module.ts';
import { encumbranceModule } from '../../src/modules/encumbrance/module.ts';
import { payoutModule } from '../../src/modules/payout/module.ts';
import { rightsModule } from '../../src/modules/rights/module.ts';
import { settlementModule } from '../../src/modules/settlement/module.ts';
import { waterfallModule } from '../../src/modules/waterfall/module.ts';
import { createContext, type TestContext } from './context.ts';

/**
 * Modules over a test context, the four of assets unless told otherwise: messages, answers and events pass through their
 * protos' bytes, and the invariants hold after each.
 */
export interface Modules {
  readonly context: TestContext;
  /** `send('rights.MsgIssue', {…})` answers the response; throws what is refused. */
  send(message: string, fields: JsonObject): JsonObject;
  /** As `codespace/code: message`. */
  refused(message: string, fields: JsonObject): string;
  /** `query('rights.Totals', {…})`. */
  query(method: string, request: JsonObject): JsonObject;
  /** Typed events since the last call, as the chain would print them: every field, with its default. */
  events(): { readonly type: string; readonly fields: JsonObject }[];
  /** Coins out of nowhere. */
  fund(address: string, amount: bigint, denom: string): void;
  invariants(): string[];
  /** EndBlock of every module, in order. */
  endBlock(): void;
  /** Another chain, from what every module exports, with the same coins. */
  reimported(): Modules;
}

const ASSETS: readonly Module[] = [assetModule, attestationModule, rightsModule, payoutModule];

/** All nine, in the order in which a block ends, and the bank. */
export const ALL_MODULES: readonly Module[] = [
  bankModule,
  ...ASSETS,
  settlementModule,
  encumbranceModule,
  delegationModule,
  waterfallModule,
  bridgeModule,
];

let codec: Codec | undefined;

export function createModules(
  context: TestContext = createContext(),
  all: readonly Module[] = ASSETS,
): Modules {
  codec ??= openCodec({ namespace: 'aeva' });
  const { decode, encode, eventAttributes, responseType, method } = codec;
  const { parameters, state } = context;

  function handlerOf(message: string) {
    const [name = '', type = ''] = message.split('.');
    const module = all.find((each) => each.name === name);
    const handler = module?.messages[`/<ns>.${name}.v1.${type}`];
    if (handler === undefined) throw new Error(`no message ${message}`);
    return { handler, typeUrl: `/aeva.${name}.v1.${type}` };
  }

  function deliver(message: string, fields: JsonObject): JsonObject {
    const { handler, typeUrl } = handlerOf(message);
    const answer = context.tx(() => handler(context, decode(typeUrl, encode(typeUrl, fields))));
    if (answer instanceof Promise) throw new Error(`${message} is not synchronous`);
    const response = responseType(typeUrl) ?? '';
    return decode(response, encode(response, answer));
  }

  const invariants = () => all.flatMap((module) => module.invariants?.(state, parameters) ?? []);

  const modules: Modules = {
    context,
    send(message, fields) {
      const response = deliver(message, fields);
      const wrong = invariants();
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
      return response;
    },
    refused: (message, fields) => context.refusal(() => deliver(message, fields)),
    query(name, request) {
      const [module = '', rpc = ''] = name.split('.');
      const path = (ns: string) => `/${ns}.${module}.v1.Query/${rpc}`;
      const handler = all.find((each) => each.name === module)?.queries[path('<ns>')];
      const types = method(path('aeva'));
      if (handler === undefined || types === undefined) throw new Error(`no query ${name}`);
      const moment = { height: context.height, timeNs: context.timeNs, parameters };
      const answer = handler(state, decode(types.request, encode(types.request, request)), moment);
      return decode(types.response, encode(types.response, answer as JsonObject));
    },
    events: () =>
      context.take().map(({ type, fields }) => {
        const [module, event] = type.split('.');
        const attributes = eventAttributes(`aeva.${module}.v1.${event}`, fields);
        return { type, fields: Object.fromEntries(attributes.map(([key, text]) => [key, JSON.parse(text)])) };
      }),
    fund(address, amount, denom) {
      const coins = [{ denom, amount }];
      mint(context, 'bridge', coins);
      send(context, moduleAddress(parameters, 'bridge'), address, coins);
    },
    invariants,
    endBlock() {
      for (const module of all)
        if (module.endBlock?.(context) instanceof Promise)
          throw new Error(`${module.name} is not synchronous`);
      const wrong = invariants();
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
    },
    reimported() {
      const other = createContext();
      other.height = context.height;
      other.timeNs = context.timeNs;
      for (const coins of [BALANCES, SUPPLY])
        for (const [key, amount] of state.entries(coins)) other.state.set(coins, key, amount);
      for (const { name, queries, initGenesis } of all)
        if (queries[`/<ns>.${name}.v1.Query/Export`] !== undefined)
          initGenesis?.(other, modules.query(`${name}.Export`, {}));
      return createModules(other, all);
    },
  };
  return modules;
}

/** A kind of MsgCreateAsset: ECONOMIC, 6 decimals, in the bundle, transferable, unless told otherwise. */
export function kind(change: JsonObject = {}): JsonObject {
  return {
    class: 'KIND_CLASS_ECONOMIC',
    decimals: 6,
    bundle: true,
    transferable: true,
    multiplier: '1',
    bridgeable: false,
    ...change,
  };
}

/** Creates an asset that settles in uusd, of one such kind unless told otherwise; answers its id. */
export function createAsset({ send }: Modules, issuer: string, change: JsonObject = {}): string {
  const message = { issuer, settlement_denom: 'uusd', kinds: [kind()], ...change };
  return String(send('asset.MsgCreateAsset', message).asset_id);
}
