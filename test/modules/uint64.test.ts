import { expect, test } from 'vitest';
import { assetText } from '../../src/modules/asset/asset-json.ts';
import type { AssetVersion } from '../../src/modules/asset/assets-read.ts';
import { uint64Json } from '../../src/modules/uint64-json.ts';
import { resolve, validateAnswer, validateSchema } from '../support/contract.ts';

const SAFE_END = 2n ** 53n;
const GREATEST = 2n ** 64n - 1n;

const policy = { mode: 'OPEN', requiredTypes: [], attesters: [] };
const asset = (nonce: bigint, multiplier: bigint): AssetVersion => ({
  id: 'ab'.repeat(32),
  issuer: 'aeva1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqjqpa2d',
  nonce,
  status: 'ASSET_STATUS_ACTIVE',
  policy,
  roles: { operator: '', releaser: '' },
  metaHash: '',
  settlementDenom: 'uusd',
  liensAllowed: false,
  distributionDenoms: [],
  issuanceLocked: false,
  kinds: [
    {
      kindId: 0,
      class: 'ECONOMIC',
      decimals: 6,
      bundle: true,
      transferable: true,
      term: undefined,
      multiplier,
      bridgeable: false,
      policyOverride: undefined,
      address: new Uint8Array(20),
    },
  ],
  createdHeight: 1,
  createdTimeNs: 0n,
  createdTxHash: new Uint8Array(32),
  bundleAddress: new Uint8Array(20),
  updatedHeight: 1,
});

test('a nonce and a multiplier from 2^53 on come as digits, which no parser rounds, and the contract says so', () => {
  for (const value of [0n, 1n, SAFE_END - 1n, SAFE_END, SAFE_END + 1n, GREATEST]) {
    const parts = { accruals: [], totals: new Map([[0, { supply: 2n, holderCount: 1 }]]), check: null };
    const answer = JSON.parse(assetText(asset(value, value), parts)) as Record<string, unknown> & {
      kinds: readonly { multiplier: unknown; effective_supply: unknown }[];
    };
    const expected = value < SAFE_END ? Number(value) : String(value);
    expect([answer.nonce, answer.kinds[0]?.multiplier]).toEqual([expected, expected]);
    expect(answer.kinds[0]?.effective_supply).toEqual({ amount: String(2n * value), multiplier: expected });
    expect(validateAnswer('/v1/assets/{id}', 200, { asset: answer })).toEqual([]);
  }
});

test('the contract takes no other form of them', () => {
  const schema = resolve({ $ref: '#/components/schemas/Uint64' });
  for (const good of [0, 9007199254740991, '9007199254740992', String(GREATEST)]) {
    expect(validateSchema(schema, good)).toEqual([]);
  }
  for (const wrong of [-1, 0.5, 9007199254740992, '0', '1', '-9007199254740992', null]) {
    expect(validateSchema(schema, wrong), String(wrong)).not.toEqual([]);
  }
  expect([uint64Json(SAFE_END - 1n), uint64Json(SAFE_END)]).toEqual([9007199254740991, '9007199254740992']);
});
