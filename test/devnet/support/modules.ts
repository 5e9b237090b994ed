import type { JsonObject, Module } from '../../../src/devnet/app/module.ts';
import { type Codec, openCodec } from '../../../src/devnet/codec/codec.ts';
import { assetModule } from '../../../src/devnet/modules/asset/module.ts';
import { attestationModule } from '../../../src/devnet/modules/attestation/module.ts';
import { BALANCES, mint, moduleAddress, send } from '../../../src/devnet/modules/bank/keeper.ts';
import { payoutModule } from '../../../src/devnet/modules/payout/module.ts';
import { rightsModule } from '../../../src/devnet/modules/rights/module.ts';
import { createContext, type TestContext } from './context.ts';

/**
 * The four asset modules over a test context: messages, answers and events pass through their protos' bytes, and the
 * invariants hold after each.
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
  /** Another chain, from what every module exports, with the same coins. */
  reimported(): Modules;
}

const ALL: readonly Module[] = [assetModule, attestationModule, rightsModule, payoutModule];

let codec: Codec | undefined;

export function createModules(context: TestContext = createContext()): Modules {
  codec ??= openCodec({ namespace: 'aeva' });
  const { decode, encode, eventAttributes, responseType, method } = codec;
  const { parameters, state } = context;

  function handlerOf(message: string) {
    const [name = '', type = ''] = message.split('.');
    const module = ALL.find((each) => each.name === name);
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

  const invariants = () => ALL.flatMap((module) => module.invariants?.(state, parameters) ?? []);

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
      const handler = ALL.find((each) => each.name === module)?.queries[path('<ns>')];
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
    reimported() {
      const other = createContext();
      other.height = context.height;
      other.timeNs = context.timeNs;
      for (const { name, initGenesis } of ALL) initGenesis?.(other, modules.query(`${name}.Export`, {}));
      for (const [key, amount] of state.entries(BALANCES)) other.state.set(BALANCES, key, amount);
      return createModules(other);
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
