import { StrataError } from '../../core/errors.ts';
import { RowReader } from '../../core/rowbinary.ts';
import { quote, uintLiteral } from '../../store/sql.ts';
import { type AccountAddress, parseNonNegativeInteger, readAddress, readTxHash } from '../params.ts';
import { pathParam, type Route, type RouteContext } from '../route.ts';
import { findTxCandidate } from '../tx-lookup.ts';

/** What a look-up found; the field order is the answer's (answers.md, "Lookup candidates"). */
type Candidate =
  | { readonly type: 'tx'; readonly id: string; readonly eth_hash?: string }
  | {
      readonly type: 'account';
      readonly id: string;
      readonly evm_address: string | null;
      readonly known: boolean;
    }
  | { readonly type: 'block'; readonly id: string };

/** Finds by the shape of `q` (api.md, rule 7). Assets, settlements and encumbrances join with their modules. */
export const lookupRoute: Route = {
  path: '/v1/lookup/{q}',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const query = pathParam(request, 'q');
    const candidates = await findCandidates(query, context);
    if (candidates === undefined) {
      throw new StrataError(
        'not_found',
        'not a hash, an address or a height that this chain knows the shape of',
      );
    }
    return { parts: [JSON.stringify({ query, candidates })] };
  },
};

/** Undefined for a shape that is not recognised. */
async function findCandidates(query: string, context: RouteContext): Promise<Candidate[] | undefined> {
  const hash = readTxHash(query);
  if (hash !== undefined) {
    const tx = await findTxCandidate(context, hash);
    if (tx === undefined) return [];
    return [{ type: 'tx', id: tx.id, ...(tx.ethHash === undefined ? {} : { eth_hash: tx.ethHash }) }];
  }
  const height = parseNonNegativeInteger(query);
  if (height !== undefined) {
    const { firstHeight, indexedHeight } = context.snapshot;
    return height >= firstHeight && height <= indexedHeight ? [{ type: 'block', id: height.toString() }] : [];
  }
  const address = readAddress(query, context.chain.hrp);
  if (address === undefined) return undefined;
  return [
    {
      type: 'account',
      id: address.bech32,
      evm_address: address.evmAddress,
      known: await isKnown(address, context),
    },
  ];
}

/** Whether any row names the account, block-level events included. */
async function isKnown(address: AccountAddress, context: RouteContext): Promise<boolean> {
  const where =
    `WHERE account = ${quote(address.bech32)} ` +
    `AND height <= ${uintLiteral(context.snapshot.indexedHeight)} LIMIT 1`;
  const sql = `SELECT toUInt8(1) FROM account_txs ${where} UNION ALL SELECT toUInt8(1) FROM account_mentions ${where}`;
  return !new RowReader(await context.query(sql)).done;
}
