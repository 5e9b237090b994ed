import { decodeBech32 } from 'strata-kit/address';
import { columnNames } from '../../core/reading.ts';
import type { Derivation, EventContext } from '../../derive/derivation.ts';
import { on } from '../../derive/derivation.ts';
import { appendAsset, appendKind, assetOfRow, kindOfRow } from './asset-rows.ts';
import {
  ASSET_CREATED,
  ASSET_STATUS_SET,
  ASSET_UPDATED,
  type AssetCreated,
  ISSUANCE_LOCKED,
  KIND_UPDATED,
  type OfAsset,
  POLICY_SET,
  ROLES_SET,
} from './events.ts';
import { assetIdOf, bundleAddressOf, rightAddressOf } from './ids.ts';
import type { AssetRecord, KindRecord } from './records.ts';
import type { AssetState } from './state.ts';
import { ASSET_KINDS, ASSET_TOKENS, ASSETS } from './tables.ts';

const NO_HASH = new Uint8Array(32);

/** Assets, their kinds, and where the EVM has both (modules.md sections 1 to 3). */
export const assetDerivation: Derivation<AssetState> = {
  module: 'asset',
  tables: [ASSETS, ASSET_KINDS, ASSET_TOKENS],
  reads: [],
  open({ parameters: { namespace }, table }) {
    const assetRows = table(ASSETS);
    const kindRows = table(ASSET_KINDS);
    const tokenRows = table(ASSET_TOKENS);
    const assets = new Map<string, AssetRecord>();
    /** How many assets an issuer has: the nonce of its next one. */
    const nonces = new Map<string, bigint>();
    /** Of this block: assets of which anything changed, with the kinds that did. */
    const changed = new Map<string, Set<number>>();
    const created = new Set<string>();

    const state: AssetState = {
      getAsset: (assetId) => assets.get(assetId),
      getKind: (assetId, kindId) => findKind(assets.get(assetId), kindId),
    };

    const put = (asset: AssetRecord, kindIds: readonly number[] = []): void => {
      assets.set(asset.id, asset);
      const kinds = changed.get(asset.id) ?? new Set();
      for (const kindId of kindIds) kinds.add(kindId);
      changed.set(asset.id, kinds);
    };

    const change = (assetId: string, values: Partial<AssetRecord>): void => {
      const asset = assets.get(assetId);
      if (asset !== undefined) put({ ...asset, ...values });
    };

    const changeKind = (assetId: string, kindId: number, values: Partial<KindRecord>): void => {
      const asset = assets.get(assetId);
      if (asset === undefined) return;
      const kinds = asset.kinds.map((kind) => (kind.kindId === kindId ? { ...kind, ...values } : kind));
      put({ ...asset, kinds }, [kindId]);
    };

    /**
     * The id that the event tells is the record's name, even where it is not the derived one, since every later event
     * names the asset by it. A second asset of one id changes nothing: its id cannot be that of the issuer's next.
     */
    const create = (event: AssetCreated, context: EventContext): void => {
      const { assetId, issuer, nonce } = event;
      const derivedNonce = nonces.get(issuer) ?? 0n;
      const issuerBytes = decodeBech32(issuer)?.bytes;
      context.compare('nonce', derivedNonce, nonce);
      context.compare(
        'asset_id',
        issuerBytes === undefined ? '' : assetIdOf(namespace, issuerBytes, derivedNonce),
        assetId,
      );
      if (assets.has(assetId)) return;
      nonces.set(issuer, derivedNonce + 1n);
      const kinds = [...new Map(event.kinds.map((kind) => [kind.kindId, kind])).values()]
        .sort((a, b) => a.kindId - b.kindId)
        .map((kind) => ({
          ...kind,
          policyOverride: undefined,
          address: rightAddressOf(namespace, assetId, kind.kindId),
        }));
      created.add(assetId);
      put(
        {
          id: assetId,
          issuer,
          nonce: derivedNonce,
          status: event.status,
          policy: event.policy,
          roles: event.roles,
          metaHash: event.metaHash,
          settlementDenom: event.settlementDenom,
          liensAllowed: event.liensAllowed,
          distributionDenoms: event.distributionDenoms,
          issuanceLocked: false,
          kinds,
          createdHeight: context.height,
          createdTimeNs: context.timeNs,
          createdTxHash: context.txHash ?? NO_HASH,
          bundleAddress: bundleAddressOf(namespace, assetId),
        },
        kinds.map(({ kindId }) => kindId),
      );
    };

    const appendToken = (
      address: Uint8Array,
      height: number,
      assetId: string,
      kindId: number | undefined,
    ): void => {
      tokenRows.append({
        address,
        height,
        asset_id: assetId,
        kind_id: kindId ?? 0,
        bundle: kindId === undefined,
      });
    };

    const knowsAsset = ({ assetId }: OfAsset): boolean => assets.has(assetId);

    return {
      state,
      handlers: [
        on(ASSET_CREATED, create),
        on(ISSUANCE_LOCKED, ({ assetId }) => change(assetId, { issuanceLocked: true }), knowsAsset),
        on(
          POLICY_SET,
          ({ assetId, kindId, policy }) => {
            if (kindId !== undefined) changeKind(assetId, kindId, { policyOverride: policy });
            else if (policy !== undefined) change(assetId, { policy });
          },
          ({ assetId, kindId }) =>
            kindId === undefined ? assets.has(assetId) : state.getKind(assetId, kindId) !== undefined,
        ),
        on(ROLES_SET, ({ assetId, roles }) => change(assetId, { roles }), knowsAsset),
        on(
          KIND_UPDATED,
          ({ assetId, kindId, transferable, multiplier, bridgeable }) =>
            changeKind(assetId, kindId, { transferable, multiplier, bridgeable }),
          ({ assetId, kindId }) => state.getKind(assetId, kindId) !== undefined,
        ),
        on(
          ASSET_UPDATED,
          ({ assetId, liensAllowed, distributionDenoms }) =>
            change(assetId, { liensAllowed, distributionDenoms }),
          knowsAsset,
        ),
        on(ASSET_STATUS_SET, ({ assetId, status }) => change(assetId, { status }), knowsAsset),
      ],
      endBlock({ height }) {
        for (const [assetId, kindIds] of changed) {
          const asset = assets.get(assetId);
          if (asset === undefined) continue;
          appendAsset(assetRows, asset, height);
          for (const kind of asset.kinds) {
            if (kindIds.has(kind.kindId)) appendKind(kindRows, assetId, kind, height);
          }
          if (!created.has(assetId)) continue;
          appendToken(asset.bundleAddress, height, assetId, undefined);
          for (const { kindId, address } of asset.kinds) appendToken(address, height, assetId, kindId);
        }
        changed.clear();
        created.clear();
      },
      async restore(versions) {
        const kinds = new Map<string, KindRecord[]>();
        await versions.latest(ASSET_KINDS, columnNames(ASSET_KINDS), (row) => {
          const ofAsset = kinds.get(row.asset_id);
          if (ofAsset === undefined) kinds.set(row.asset_id, [kindOfRow(row)]);
          else ofAsset.push(kindOfRow(row));
        });
        await versions.latest(ASSETS, columnNames(ASSETS), (row) => {
          const asset = assetOfRow(row);
          assets.set(asset.id, { ...asset, kinds: kinds.get(asset.id) ?? [] });
          nonces.set(asset.issuer, (nonces.get(asset.issuer) ?? 0n) + 1n);
        });
      },
    };
  },
};

/** Kinds count from 0, so that one stands at its own id but where an event told other ids. */
function findKind(asset: AssetRecord | undefined, kindId: number): KindRecord | undefined {
  const kind = asset?.kinds[kindId];
  return kind?.kindId === kindId ? kind : asset?.kinds.find((each) => each.kindId === kindId);
}
