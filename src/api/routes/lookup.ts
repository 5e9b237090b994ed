import { StrataError } from 'strata-kit/errors';
import { RowReader } from '../../core/rowbinary.ts';
import { quote, uintLiteral } from '../../store/sql.ts';
import type { Candidate, LookupShape } from '../candidates.ts';
import {
  type AccountAddress,
  parseNonNegativeInteger,
  readAddress,
  readTxHash,
  type TxHashParam,
} from '../params.ts';
import { pathParam, type Route, type RouteContext } from '../route.ts';
import { findTxCandidate } from '../tx-lookup.ts';

/** Finds by the shape of `q`, what modules know among it (api.md, rule 7). */
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
async function findCandidates(
  query: string,
  context: RouteContext,
): Promise<readonly Candidate[] | undefined> {
  const hash = readTxHash(query);
  if (hash?.kind === 'eth') return findTx(hash, context);
  if (hash !== undefined) return findAll({ kind: 'hash', hex: hash.hex }, context, findTx(hash, context));
  const value = parseNonNegativeInteger(query);
  if (value !== undefined) {
    const { firstHeight, indexedHeight } = context.snapshot;
    const isBlock = value >= firstHeight && value <= indexedHeight;
    const blocks = isBlock ? [{ type: 'block', id: value.toString() }] : [];
    return findAll({ kind: 'integer', value }, context, Promise.resolve(blocks));
  }
  const address = readAddress(query, context.chain.hrp);
  if (address === undefined) return undefined;
  if (!/^0[xX]/.test(query)) return [await accountCandidate(address, context)];
  const tokens = await findAll({ kind: 'evm_address', bytes: address.bytes }, context);
  return tokens.length > 0 ? tokens : [await accountCandidate(address, context)];
}

/** What every finder of the shape finds, with the base layer's own among them. */
async function findAll(
  shape: LookupShape,
  context: RouteContext,
  own: Promise<readonly Candidate[]> = Promise.resolve([]),
): Promise<readonly Candidate[]> {
  const finders = context.candidates.filter(({ kind }) => kind === shape.kind);
  const find = (isFirst: boolean) =>
    finders
      .filter((finder) => (finder.isFirst === true) === isFirst)
      .map((each) => each.find(shape, context));
  return (await Promise.all([...find(true), own, ...find(false)])).flat();
}

async function findTx(hash: TxHashParam, context: RouteContext): Promise<readonly Candidate[]> {
  const tx = await findTxCandidate(context, hash);
  if (tx === undefined) return [];
  return [{ type: 'tx', id: tx.id, ...(tx.ethHash === undefined ? {} : { eth_hash: tx.ethHash }) }];
}

async function accountCandidate(address: AccountAddress, context: RouteContext): Promise<Candidate> {
  return {
    type: 'account',
    id: address.bech32,
    evm_address: address.evmAddress,
    known: await isKnown(address, context),
  };
}

/** Whether any row names the account, block-level events included. */
async function isKnown(address: AccountAddress, context: RouteContext): Promise<boolean> {
  const where =
    `WHERE account = ${quote(address.bech32)} ` +
    `AND height <= ${uintLiteral(context.snapshot.indexedHeight)} LIMIT 1`;
  const sql = `SELECT toUInt8(1) FROM account_txs ${where} UNION ALL SELECT toUInt8(1) FROM account_mentions ${where}`;
  return !new RowReader(await context.query(sql)).done;
}
