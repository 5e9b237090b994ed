import { hexOf, type Json, reprintTime, type Told } from './history.ts';
import { type Model, only } from './model.ts';

/** Answers about settlements, encumbrances, delegations and the bridge, computed from the devnet. */

const bare = (prefix: string, text: string): string => text.replace(prefix, '');
const last = (events: readonly Told[]): number => Math.max(...events.map(({ height }) => height));

function eventsOf(model: Model, module: string, id: Json): Told[] {
  return model.history.events.filter(
    ({ type, fields }) => type.startsWith(`aeva.${module}.v1.`) && String(fields.id) === String(id),
  );
}

export function settlementOf(model: Model, settlement: Json): Json {
  const events = eventsOf(model, 'settlement', settlement.id);
  const created = only(events, `settlement ${settlement.id}`);
  const { id, proposer, counterparty, legs, expiry, status, memo_hash, cancel_reason } = settlement;
  return {
    id: Number(id),
    proposer,
    counterparty,
    legs,
    expiry: reprintTime(expiry),
    status,
    memo_hash: hexOf(memo_hash),
    cancel_reason,
    created_height: created.height,
    created_tx_hash: created.txHash,
    created_at: created.time,
    updated_height: last(events),
  };
}

export function settlementWithTimeline(model: Model, settlement: Json): Json {
  const actors: Readonly<Record<string, (fields: Json) => string | null>> = {
    proposed: ({ proposer }) => proposer,
    settled: ({ counterparty }) => counterparty,
    cancelled: ({ actor, reason }) => (reason === 'LIQUIDATION' ? null : actor),
    expired: () => null,
  };
  return {
    ...settlementOf(model, settlement),
    timeline: eventsOf(model, 'settlement', settlement.id).map(({ type, height, time, txHash, fields }) => {
      const event = type.replace(/^.*Event/, '').toLowerCase();
      return { event, height, block_time: time, tx_hash: txHash, actor: actors[event]?.(fields) ?? null };
    }),
  };
}

export function encumbranceAnswer(model: Model, of: Json): Json {
  const events = eventsOf(model, 'encumbrance', of.id);
  const created = only(events, `encumbrance ${of.id}`);
  const isActive = of.status === 'STATUS_ACTIVE';
  return {
    encumbrance: {
      id: Number(of.id),
      kind: bare('KIND_', of.kind).toLowerCase(),
      asset_id: of.asset_id,
      kind_id: of.kind_id,
      holder: of.holder,
      units: of.units,
      beneficiary: of.beneficiary,
      income_to_beneficiary: of.income_to_beneficiary,
      holder_release_after: reprintTime(of.holder_release_after),
      exercisable: of.exercisable,
      expiry: reprintTime(of.expiry),
      evidence_hash: hexOf(of.evidence_hash),
      status: bare('STATUS_', of.status).toLowerCase(),
      created_height: created.height,
      created_tx_hash: created.txHash,
      created_at: created.time,
      resolved_height: isActive ? null : last(events),
      updated_height: last(events),
    },
    timeline: events.map(({ type, height, time, txHash, fields }) => ({
      event: type.replace(/^.*Event/, '').toLowerCase(),
      height,
      block_time: time,
      tx_hash: txHash,
      actor: fields.actor ?? null,
      actor_role: fields.actor_role ?? 'protocol',
      units: { amount: fields.units },
    })),
  };
}

export function delegationOf(model: Model, of: Json): Json {
  const events = eventsOf(model, 'delegation', of.id);
  const created = only(events, `delegation ${of.id}`);
  const isActive = of.ended === 'END_REASON_UNSPECIFIED';
  return {
    id: Number(of.id),
    holder: of.holder,
    asset_id: of.asset_id,
    kind_id: of.kind_id,
    units: of.units,
    delegate: of.delegate,
    until: reprintTime(of.until),
    purposes: of.purposes.map((purpose: string) => bare('PURPOSE_', purpose)),
    revocable: of.revocable,
    ended: isActive ? '' : of.ended,
    created_height: created.height,
    created_tx_hash: created.txHash,
    ended_height: isActive ? null : last(events),
  };
}

export function routeOf(model: Model, of: Json): Json {
  const events = model.history.events.filter(
    ({ type, fields }) => type.startsWith('aeva.bridge.v1.') && fields.route_id === of.route_id,
  );
  const created = only(events, `route ${of.route_id}`);
  const [outbound, inbound] = [BigInt(of.outbound), BigInt(of.inbound)];
  const isIn = of.direction === 'DIRECTION_SYNTHETIC_IN';
  const swept: Record<string, string> = {};
  for (const { type, fields } of events) {
    if (!type.endsWith('EventEscrowIncomeSwept')) continue;
    swept[fields.denom] = String(BigInt(swept[fields.denom] ?? '0') + BigInt(fields.amount));
  }
  const { outbound_window, inbound_window, ...route } = of;
  return {
    ...route,
    window_seconds: Number(of.window_seconds),
    outstanding: String(isIn ? inbound - outbound : outbound - inbound),
    created_height: created.height,
    updated_height: last(events),
    transfers: events.filter(({ type }) => /EventTransfer(Out|In)$/.test(type)).length,
    kind_id: of.kind_id ?? 0,
    escrow_address: of.direction === 'DIRECTION_RIGHT_OUT' ? of.escrow_address : '',
    income_swept: swept,
    i8: null,
  };
}

/** Those that happened, newest first. */
export function transfersOf(model: Model): Json[] {
  return model.history.events
    .filter(({ type }) => /^aeva\.bridge\.v1\.EventTransfer(Out|In)$/.test(type))
    .map(({ type, height, txIndex, eventIndex, txHash, timeNs, fields }) => {
      const isOut = type.endsWith('Out');
      return {
        height,
        tx_index: txIndex,
        tx_hash: txHash,
        route_id: fields.route_id,
        direction: isOut ? 'out' : 'in',
        status: isOut ? 'in_flight' : 'completed',
        sender: fields.sender,
        recipient: fields.recipient,
        amount: fields.amount,
        message_id: fields.message_id,
        reason: '',
        block_time_ns: Number(timeNs),
        event_index: eventIndex,
        asset_id: fields.asset_id,
        kind_id: fields.kind_id ?? 0,
        bundle: fields.bundle,
      };
    })
    .reverse();
}

/**
 * The transfers that the bridge refused, newest first: those failed txs of its codespace whose log names a
 * MsgTransferOut. `get` asks for a tx, whose messages other tests prove.
 */
export async function rejectionsOf(model: Model, get: (target: string) => Promise<Json>): Promise<Json[]> {
  const found: Json[] = [];
  for (const { height, txIndex, txHash, code, codespace, log, timeNs } of model.history.failed) {
    if (codespace !== 'bridge') continue;
    const place = Number(/message index: (\d+)/.exec(log)?.[1]);
    const message = (await get(`/v1/txs/${txHash}`)).msgs[place];
    if (!message['@type'].endsWith('.MsgTransferOut')) continue;
    found.push({
      height,
      tx_index: txIndex,
      tx_hash: txHash,
      route_id: message.route_id,
      direction: 'out',
      status: 'rejected',
      sender: message.sender,
      recipient: message.recipient,
      amount: message.amount,
      message_id: '',
      reason: `bridge/${code}`,
      block_time_ns: Number(timeNs),
      event_index: -1,
    });
  }
  return found.reverse();
}
