import { hexlify, id as keccakOfText } from 'ethers';
import type { AbciEvent } from 'strata-kit/abci-event';
import type { Codec } from 'strata-kit/codec/codec';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import type { TxResult } from '../../src/comet/types.ts';

/** What has occurred on a chain, each under a text, with the height at which it did first. */
export interface Coverage {
  readonly firstHeights: ReadonlyMap<string, number>;
  add(
    height: number,
    txs: readonly Uint8Array[],
    results: readonly TxResult[],
    events: readonly AbciEvent[],
  ): void;
}

interface Parties {
  readonly faucet: string;
  /** Bech32, and lower-case 0x hex. */
  readonly accounts: ReadonlySet<string>;
}

const SWAP = keccakOfText('Swap(address,uint256,uint256,uint256,uint256,address)');
const MINT = keccakOfText('Mint(address,uint256,uint256)');
const REPAY = keccakOfText('Repay(address,uint256)');

export function createCoverage(codec: Codec, { faucet, accounts }: Parties): Coverage {
  const { namespace } = codec;
  const firstHeights = new Map<string, number>();
  const directions = new Map<string, string>();
  const strips = new Set<string>();
  const attestations = new Set<string>();
  const pools = new Set<string>();
  const supplies = new Map<string, bigint>();
  let height = 0;
  const saw = (what: string): void => {
    if (!firstHeights.has(what)) firstHeights.set(what, height);
  };

  /** By the event's short name: what it tells beside its type. */
  const tells: Readonly<Record<string, (fields: Readonly<Record<string, Json>>) => void>> = {
    'asset.EventAssetCreated': ({ issuer }) => accounts.has(String(issuer)) && saw('quest launch_asset'),
    'asset.EventAssetStatusSet': ({ status }) => saw(`asset ${status}`),
    'asset.EventPolicySet': ({ kind_id, policy }) => {
      const mode = policy === null || policy === undefined ? 'unset' : (policy as JsonObject).mode;
      saw(`policy ${mode} of ${kind_id === null || kind_id === undefined ? 'an asset' : 'a kind'}`);
    },
    'rights.EventIssued': ({ asset_id, kind_id, supply_after }) =>
      supplies.set(`${asset_id}/${kind_id}`, BigInt(String(supply_after))),
    'payout.EventDistributed': ({ asset_id, kind_id, denom }) => {
      saw(`distributed ${denom}`);
      if (supplies.has(`${asset_id}/${kind_id}`)) saw('quest first_dividend');
    },
    'payout.EventClaimed': ({ ref, holder }) => {
      saw(ref === '' ? 'claimed own' : 'claimed routed');
      if (accounts.has(String(holder))) saw('quest claim_income');
    },
    'settlement.EventProposed': ({ id, legs }) => {
      saw('settlement STATUS_PENDING');
      if (sellsStrip(legs as readonly JsonObject[])) strips.add(String(id));
    },
    'settlement.EventSettled': ({ id }) => {
      saw('settlement STATUS_SETTLED');
      if (strips.has(String(id))) saw('quest sell_strip');
    },
    'settlement.EventCancelled': ({ actor, proposer, reason }) => {
      const by = reason === '' ? (actor === proposer ? 'the proposer' : 'the counterparty') : String(reason);
      saw(`settlement STATUS_CANCELLED by ${by}`);
    },
    'settlement.EventExpired': () => saw('settlement STATUS_EXPIRED'),
    'encumbrance.EventCreated': ({ kind, actor_role, income_to_beneficiary }) => {
      saw(`${kind} created by ${actor_role}`);
      if (income_to_beneficiary === true) saw('quest delegate_income');
    },
    'encumbrance.EventReleased': ({ actor_role, remaining_units }) => {
      saw(`encumbrance released by ${actor_role}`);
      saw(remaining_units === '0' ? 'encumbrance released whole' : 'encumbrance released in part');
    },
    'encumbrance.EventExercised': () => saw('encumbrance exercised'),
    'encumbrance.EventExpired': () => saw('encumbrance expired'),
    'attestation.EventAttested': ({ subject, type, attester }) => {
      const key = `${subject}/${type}/${attester}`;
      if (attestations.has(key)) saw('attestation replaced');
      attestations.add(key);
    },
    'delegation.EventEnded': ({ reason }) => saw(`delegation ${reason}`),
    'waterfall.EventLiquidationClosed': ({ returned }) =>
      saw(`liquidation closed, ${returned === '0' ? 'nothing' : 'something'} returned`),
    'waterfall.EventPoolOpened': ({ asset_id, kind_id }) => {
      if (pools.has(`${asset_id}/${kind_id}`)) saw('redemption pool topped up');
      pools.add(`${asset_id}/${kind_id}`);
    },
    'bridge.EventRouteCreated': ({ route_id, direction, bundle }) => {
      directions.set(String(route_id), `${direction}${bundle === true ? ' bundle' : ''}`);
      saw(`route ${directions.get(String(route_id))}`);
    },
    'bridge.EventRouteUpdated': ({ status }) => saw(`route ${status}`),
    'bridge.EventTransferOut': ({ route_id }) => saw(`out over ${directions.get(String(route_id))}`),
    'bridge.EventTransferIn': ({ route_id }) => saw(`in over ${directions.get(String(route_id))}`),
  };

  function addEvent({ type, attributes }: AbciEvent): void {
    if (type === 'transfer') {
      const { sender, recipient } = Object.fromEntries(attributes);
      if (sender === faucet && accounts.has(recipient ?? '')) saw('quest faucet');
    }
    if (type === 'ethereum_tx' && !attributes.some(([key]) => key === 'ethereumTxFailed'))
      saw('quest evm_tx');
    if (!type.startsWith(`${namespace}.`)) return;
    saw(`event ${type}`);
    const fields = attributes
      .filter(([key], i) => !(i === attributes.length - 1 && (key === 'mode' || key === 'msg_index')))
      .map(([key, value]) => [key, JSON.parse(value) as Json] as const);
    tells[type.slice(namespace.length + 1).replace('.v1.', '.')]?.(Object.fromEntries(fields));
  }

  function addEthereum(response: JsonObject, isCreation: boolean): void {
    for (const log of response.logs as readonly JsonObject[]) {
      const [topic] = log.topics as readonly string[];
      if (topic === SWAP) saw('quest swap');
      if (topic === MINT) saw('quest add_liquidity');
      if (topic === REPAY) saw('quest borrow_repay');
    }
    const failure = String(response.vm_error);
    if (failure === '') saw(isCreation ? 'contract created' : 'call done');
    else
      saw(
        `revert: ${isCreation ? 'creation, ' : ''}${kindOfRevert(failure, Buffer.from(String(response.ret ?? ''), 'base64'))}`,
      );
  }

  function addTx(bytes: Uint8Array, { code, codespace, data, events }: TxResult): void {
    if (code !== 0) saw(`refused ${codespace}/${code}`);
    if (code !== 0) return;
    for (const event of events) addEvent(event);
    const { body_bytes } = codec.decode('/cosmos.tx.v1beta1.TxRaw', bytes);
    const body = codec.decode('/cosmos.tx.v1beta1.TxBody', Buffer.from(String(body_bytes), 'base64'));
    const messages = body.messages as readonly JsonObject[];
    if (messages.length > 1) saw('several messages');
    const responses = codec.decode('/cosmos.base.abci.v1beta1.TxMsgData', data).msg_responses;
    messages.forEach((message, i) => {
      saw(`message ${message['@type']}`);
      const response = (responses as readonly JsonObject[])[i];
      if (message['@type'] !== '/cosmos.evm.vm.v1.MsgEthereumTx' || response === undefined) return;
      addEthereum(response, !events.some(hasRecipient));
    });
  }

  return {
    firstHeights,
    add(at, txs, results, events) {
      height = at;
      for (const [i, tx] of txs.entries()) addTx(tx, results[i] as TxResult);
      for (const event of events) addEvent(event);
    },
  };
}

const hasRecipient = ({ type, attributes }: AbciEvent): boolean =>
  type === 'ethereum_tx' && attributes.some(([key]) => key === 'recipient');

/** Only INCOME rights, which are kind 1 of the shared assets, against a coin. */
function sellsStrip(legs: readonly JsonObject[]): boolean {
  const given = legs.filter(({ direction }) => direction === 'DIRECTION_PROPOSER_TO_COUNTERPARTY');
  const taken = legs.filter(({ direction }) => direction !== 'DIRECTION_PROPOSER_TO_COUNTERPARTY');
  const isIncome = ({ right }: JsonObject) => (right as JsonObject | undefined)?.kind_id === 1;
  return given.length > 0 && given.every(isIncome) && taken.length === 1 && taken[0]?.coin !== undefined;
}

function kindOfRevert(failure: string, ret: Buffer): string {
  const selector = hexlify(ret.subarray(0, 4));
  if (selector === '0x08c379a0') {
    const length = Number(ret.readBigUInt64BE(4 + 56));
    const text = ret.subarray(68, 68 + length).toString('utf8');
    const denial = /^policy denied: asset\/[0-9a-f]{64}\/kind\/\d+\/(.*)$/.exec(text)?.[1];
    return denial === undefined ? 'Error(string)' : `policy denied …/${denial.replace(/kyc-\d+/, '<type>')}`;
  }
  if (selector === '0x4e487b71') return `Panic(0x${ret.subarray(35, 36).toString('hex')})`;
  if (ret.length > 0) return 'custom error';
  return failure === 'execution reverted' ? 'no data' : failure.replace(/:.*/, '');
}
