import { bytesToBase64 } from 'strata-kit/bytes';
import type { Caller } from 'strata-kit/http/caller';
import { busy, internalError } from 'strata-kit/rpc/errors';
import { goJson, quote } from 'strata-kit/rpc/go-json';
import { printQueryAnswer } from 'strata-kit/rpc/methods';
import type { BlockHead, RpcChain } from 'strata-kit/rpc/node';
import { formatTimeNs } from 'strata-kit/time';
import type { Block, Chain } from '../comet/types.ts';
import { createLane } from '../lane.ts';
import { SimulationStop } from '../simulation/stop.ts';
import { pageOf } from './methods/pages.ts';
import type { Texts } from './node.ts';
import { printBlockId, printCommit, printHeader } from './print-block.ts';

/** The version of CometBFT whose answers these are. */
const COMETBFT_VERSION = '0.38.19';
const APP_NAME = 'strata-devnet';

/** The chain as texts. `listenAddress` as /status has it. */
export function rpcChain(chain: Chain, texts: Texts, listenAddress: string): RpcChain {
  const lane = createLane();
  const { address, publicKey, power } = chain.validator;
  const validator = `"address":"${address}","pub_key":{"type":"tendermint/PubKeyEd25519","value":"${bytesToBase64(publicKey)}"},"voting_power":"${power}"`;

  return {
    latestHeight: () => chain.latestHeight(),
    decidedHeight: () => chain.latestHeight() + 1,
    earliestHeight: () => chain.earliestHeight(),
    block: (height) => texts.block(height)?.block,
    blockResults: (height) => texts.block(height)?.results,
    head(height) {
      const found = chain.block(height);
      return found === undefined ? undefined : headOf(found);
    },
    commit(height) {
      const found = chain.commitOf(height);
      return found === undefined ? undefined : printCommit(found);
    },
    tx(hash) {
      const place = chain.placeOfTx(hash);
      const found = place === undefined ? undefined : chain.block(place.height);
      return place === undefined || found === undefined ? undefined : texts.tx(found, place.index);
    },
    genesis: () => goJson(chain.genesis),
    identity: () => ({ nodeInfo: nodeInfo(chain, listenAddress), validatorInfo: `{${validator}}` }),
    abciInfo: () => abciInfo(chain),
    validators(height, params) {
      pageOf(params, 1);
      return `{"block_height":"${height}","validators":[{${validator},"proposer_priority":"0"}],"count":"1","total":"1"}`;
    },
    // those of the genesis hold at every height
    consensusParams: (height) =>
      `{"block_height":"${height}","consensus_params":${goJson(chain.genesis.consensus_params ?? null)}}`,
    query: (path, data, height, caller) => query(chain, path, data, height, caller),
    step: (client) => lane.step(client),
  };
}

export function headOf({ id, header, sizeBytes, txs }: Block): BlockHead {
  return {
    blockId: printBlockId(id),
    header: printHeader(header),
    hash: id.hash,
    appHash: header.appHash,
    time: formatTimeNs(header.timeNs),
    sizeBytes,
    txCount: txs.length,
  };
}

function nodeInfo(chain: Chain, listenAddress: string): string {
  return goJson({
    protocol_version: { p2p: '8', block: '11', app: String(chain.appVersion) },
    id: chain.validator.address.toLowerCase(),
    listen_addr: 'tcp://127.0.0.1:26656',
    network: chain.chainId,
    version: COMETBFT_VERSION,
    channels: '40202122233038606100',
    moniker: APP_NAME,
    other: { tx_index: 'on', rpc_address: listenAddress },
  });
}

function abciInfo(chain: Chain): string {
  const height = chain.latestHeight();
  const appVersion = chain.appVersion === 0 ? '' : `,"app_version":"${chain.appVersion}"`;
  const appHash = Buffer.from(chain.block(height)?.nextAppHash ?? '', 'hex').toString('base64');
  // protobuf's JSON leaves out what is empty
  const last = height === 0 ? '' : `,"last_block_height":"${height}","last_block_app_hash":"${appHash}"`;
  return `{"response":{"data":"${APP_NAME}","version":${quote(chain.binaryVersion)}${appVersion}${last}}}`;
}

/** Errors: RpcError where a simulation has no result. */
async function query(
  chain: Chain,
  path: string,
  data: Uint8Array,
  height: number,
  caller: Caller,
): Promise<string> {
  try {
    return printQueryAnswer(await chain.query(path, data, height, caller));
  } catch (error) {
    if (!(error instanceof SimulationStop)) throw error;
    const isBusy = error.reason === 'busy' || error.reason === 'no_thread';
    throw isBusy ? busy(error.message) : internalError(error.message);
  }
}
