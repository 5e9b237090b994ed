import { bech32 } from '@scure/base';
import { id as keccakOfText } from 'ethers';
import type { TxResult } from 'strata-devnet/comet/types';
import type { Devnet } from 'strata-devnet/devnet';
import type { AbciEvent } from 'strata-kit/abci-event';
import type { Json, JsonObject } from 'strata-kit/proto-json';

/** Quests as a chain's own blocks, receipts and events tell them, reckoned plainly and without Strata's derivation. */

/** Quest → account → where it completed it first. */
export type First = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface QuestChain {
  readonly hrp: string;
  readonly faucet: string;
  /** 0x, in any case. */
  readonly factory: string;
  readonly lendingMarket: string;
}

export interface Leniency {
  /** Ethereum messages that did not succeed count too. */
  readonly failedMessages?: boolean;
  /** Rights of any class count. */
  readonly anyClass?: boolean;
}

const PAIR_CREATED = keccakOfText('PairCreated(address,address,address,uint256)');
const SWAP = keccakOfText('Swap(address,uint256,uint256,uint256,uint256,address)');
const MINT = keccakOfText('Mint(address,uint256,uint256)');
const REPAY = keccakOfText('Repay(address,uint256)');
const OUT = 'DIRECTION_PROPOSER_TO_COUNTERPARTY';

type FieldsOf = Readonly<Record<string, Json>>;

interface Holding {
  units: bigint;
  /** By encumbrance. */
  readonly routed: Map<string, bigint>;
}

export function questsOf(
  { chain, app }: Devnet,
  last: number,
  of: QuestChain,
  lenient: Leniency = {},
): First {
  const first = new Map<string, Map<string, number>>();
  const pairs = new Set<string>();
  const pools = new Set<string>();
  const classes = new Map<string, string>();
  const holdings = new Map<string, Map<string, Holding>>();
  const proposals = new Map<string, FieldsOf>();
  let height = 0;

  const complete = (quest: string, account: string): void => {
    const { words } = bech32.decode(account as `${string}1${string}`, 100);
    if (bech32.fromWords(words).length !== 20) return;
    const accounts = first.get(quest) ?? new Map<string, number>();
    first.set(quest, accounts);
    if (!accounts.has(account)) accounts.set(account, height);
  };
  const addressOf = (bytes: Uint8Array): string => bech32.encode(of.hrp, bech32.toWords(bytes));

  const holdingOf = (fields: FieldsOf, holder: Json | undefined): Holding => {
    const kind = `${fields.asset_id}/${fields.kind_id}`;
    const holders = holdings.get(kind) ?? new Map<string, Holding>();
    holdings.set(kind, holders);
    const holding = holders.get(String(holder)) ?? { units: 0n, routed: new Map() };
    holders.set(String(holder), holding);
    return holding;
  };
  /** What the chain tells that somebody has from now on. */
  const has = (fields: FieldsOf, holder: Json | undefined, units: Json | undefined): void => {
    holdingOf(fields, holder).units = BigInt(String(units));
  };
  const routes = (fields: FieldsOf, units: Json | undefined, isNew = false): void => {
    const { routed } = holdingOf(fields, fields.holder);
    const id = String(fields.id);
    if (isNew || routed.has(id)) routed.set(id, BigInt(String(units)));
  };

  const sold = ({ legs, proposer, counterparty }: FieldsOf): void => {
    const all = legs as readonly JsonObject[];
    for (const [seller, isGiven] of [
      [proposer, (leg: JsonObject) => leg.direction === OUT],
      [counterparty, (leg: JsonObject) => leg.direction !== OUT],
    ] as const) {
      const rights = all.filter((leg) => isGiven(leg) && leg.right).map((leg) => leg.right as JsonObject);
      const coinsGiven = all.filter((leg) => isGiven(leg) && leg.coin).length;
      const coinsTaken = all.filter((leg) => !isGiven(leg) && leg.coin).length;
      const areIncome = rights.every(
        ({ asset_id, kind_id }) =>
          lenient.anyClass === true || classes.get(`${asset_id}/${kind_id}`) === 'KIND_CLASS_INCOME',
      );
      if (rights.length > 0 && areIncome && coinsGiven === 0 && coinsTaken > 0)
        complete('sell_strip', String(seller));
    }
  };

  const tells: Readonly<Record<string, (fields: FieldsOf) => void>> = {
    'asset.EventAssetCreated': (fields) => {
      complete('launch_asset', String(fields.issuer));
      for (const kind of fields.kinds as readonly JsonObject[]) {
        classes.set(`${fields.asset_id}/${kind.kind_id}`, String(kind.class));
      }
    },
    'rights.EventIssued': (fields) => has(fields, fields.recipient, fields.recipient_units_after),
    'rights.EventTransferred': (fields) => {
      has(fields, fields.from, fields.from_units_after);
      has(fields, fields.to, fields.to_units_after);
    },
    'rights.EventRedeemed': (fields) => has(fields, fields.holder, fields.holder_units_after),
    'waterfall.EventPoolRedeemed': (fields) => has(fields, fields.holder, fields.holder_units_after),
    'encumbrance.EventCreated': (fields) => {
      if (fields.income_to_beneficiary !== true) return;
      routes(fields, fields.units, true);
      if (fields.kind === 'KIND_PLEDGE') complete('delegate_income', String(fields.holder));
    },
    'encumbrance.EventReleased': (fields) => routes(fields, fields.remaining_units),
    'encumbrance.EventExercised': (fields) => routes(fields, '0'),
    'encumbrance.EventExpired': (fields) => routes(fields, '0'),
    'delegation.EventDelegated': (fields) => {
      if ((fields.purposes as readonly Json[]).includes('PURPOSE_INCOME'))
        complete('delegate_income', String(fields.holder));
    },
    'payout.EventDistributed': (fields) => {
      for (const [holder, { units, routed }] of holdings.get(`${fields.asset_id}/${fields.kind_id}`) ?? []) {
        const away = [...routed.values()].reduce((a, b) => a + b, 0n);
        if (units - away > 0n) complete('first_dividend', holder);
      }
    },
    'payout.EventClaimed': ({ holder }) => complete('claim_income', String(holder)),
    'settlement.EventProposed': (fields) => {
      proposals.set(String(fields.id), fields);
    },
    'settlement.EventSettled': ({ id }) => sold(proposals.get(String(id)) ?? {}),
  };

  const addEvent = ({ type, attributes }: AbciEvent): void => {
    const prefix = `${app.parameters.namespace}.`;
    if (!type.startsWith(prefix)) return;
    const tell = tells[type.slice(prefix.length).replace('.v1.', '.')];
    // the SDK's own attribute stands behind the event's
    const own = attributes.filter(
      ([key], i) => i < attributes.length - 1 || (key !== 'mode' && key !== 'msg_index'),
    );
    tell?.(Object.fromEntries(own.map(([key, value]) => [key, JSON.parse(value) as Json])));
  };

  const addEthereum = (message: JsonObject, response: JsonObject): void => {
    if (response.vm_error !== '' && lenient.failedMessages !== true) return;
    const sender = addressOf(Buffer.from(String(message.from), 'base64'));
    complete('evm_tx', sender);
    for (const log of (response.logs ?? []) as readonly JsonObject[]) {
      const address = String(log.address).toLowerCase();
      const [topic, account = ''] = log.topics as readonly string[];
      const data = Buffer.from(String(log.data ?? ''), 'base64').toString('hex');
      if (topic === PAIR_CREATED && address === of.factory.toLowerCase()) {
        pairs.add(`0x${data.slice(24, 64)}`);
        pools.add(addressOf(Buffer.from(data.slice(24, 64), 'hex')));
      }
      if (topic === SWAP && pairs.has(address)) complete('swap', sender);
      if (topic === MINT && pairs.has(address)) complete('add_liquidity', sender);
      if (topic === REPAY && address === of.lendingMarket.toLowerCase())
        complete('borrow_repay', addressOf(Buffer.from(account.slice(26), 'hex')));
    }
  };

  const addTx = (bytes: Uint8Array, { code, data, events }: TxResult): void => {
    if (code !== 0) return;
    for (const { type, attributes } of events) {
      const { sender, recipient } = Object.fromEntries(attributes);
      if (type === 'transfer' && sender === of.faucet && recipient !== of.faucet && recipient !== undefined)
        complete('faucet', recipient);
    }
    for (const event of events) addEvent(event);
    const { codec } = app;
    const { body_bytes } = codec.decode('/cosmos.tx.v1beta1.TxRaw', bytes);
    const body = codec.decode('/cosmos.tx.v1beta1.TxBody', Buffer.from(String(body_bytes), 'base64'));
    const responses = codec.decode('/cosmos.base.abci.v1beta1.TxMsgData', data).msg_responses;
    for (const [i, message] of (body.messages as readonly JsonObject[]).entries()) {
      const response = (responses as readonly JsonObject[])[i];
      if (message['@type'] === '/cosmos.evm.vm.v1.MsgEthereumTx' && response !== undefined)
        addEthereum(message, response);
    }
  };

  for (height = 1; height <= last; height++) {
    const block = chain.block(height);
    if (block === undefined) throw new Error(`the chain has no block ${height}`);
    const isOfEnd = ({ attributes }: AbciEvent): boolean => attributes.at(-1)?.[1] === 'EndBlock';
    for (const event of block.events) if (!isOfEnd(event)) addEvent(event);
    for (const [i, tx] of block.txs.entries()) addTx(tx, block.results[i] as TxResult);
    for (const event of block.events) if (isOfEnd(event)) addEvent(event);
    // a pool is no person; what it did before its pair was made counts
    for (const accounts of first.values()) {
      for (const pool of pools) if (accounts.get(pool) === height) accounts.delete(pool);
    }
  }
  return first;
}

/** `account quest height`, sorted. */
export function linesOfFirst(first: First): readonly string[] {
  return [...first]
    .flatMap(([quest, accounts]) => [...accounts].map(([account, height]) => `${account} ${quest} ${height}`))
    .sort();
}
