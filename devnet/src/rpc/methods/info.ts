import { bytesToBase64 } from 'strata-kit/bytes';
import { formatTimeNs } from 'strata-kit/time';
import { internalError } from '../errors.ts';
import { goJson, quote } from '../go-json.ts';
import type { Result } from '../method.ts';
import type { Node } from '../node.ts';
import type { Params } from '../params.ts';
import { pickHeight } from './heights.ts';

/** What the node tells of itself. */

/** The version of CometBFT whose answers these are. */
const COMETBFT_VERSION = '0.38.19';
const NO_TIME = '0001-01-01T00:00:00Z';
const GENESIS_CHUNK_BYTES = 16 * 1024 * 1024;
const APP_NAME = 'strata-devnet';

export function status(node: Node): Result {
  const { chain } = node;
  const { address, publicKey, power } = chain.validator;
  const key = `{"type":"tendermint/PubKeyEd25519","value":"${bytesToBase64(publicKey)}"}`;
  const latest = printSync(node, 'latest', chain.latestHeight());
  const earliest = printSync(node, 'earliest', chain.latestHeight() === 0 ? 0 : chain.earliestHeight());
  return `{"node_info":${nodeInfo(node)},"sync_info":{${latest},${earliest},"catching_up":false},"validator_info":{"address":"${address}","pub_key":${key},"voting_power":"${power}"}}`;
}

function nodeInfo({ chain, listenAddress }: Node): string {
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

function printSync({ chain }: Node, which: 'latest' | 'earliest', height: number): string {
  const block = chain.block(height);
  const time = block === undefined ? NO_TIME : formatTimeNs(block.header.timeNs);
  return `"${which}_block_hash":"${block?.id.hash ?? ''}","${which}_app_hash":"${block?.header.appHash ?? ''}","${which}_block_height":"${height}","${which}_block_time":"${time}"`;
}

/** A chain of one node. */
export function netInfo(): Result {
  return '{"listening":true,"listeners":["Listener(@)"],"n_peers":"0","peers":[]}';
}

export function genesis({ chain }: Node): Result {
  return `{"genesis":${goJson(chain.genesis)}}`;
}

export function genesisChunked({ chain }: Node, params: Params): Result {
  const text = Buffer.from(goJson(chain.genesis), 'utf8');
  const total = Math.ceil(text.length / GENESIS_CHUNK_BYTES);
  const chunk = Number(params.int('chunk') ?? 0n);
  if (chunk < 0 || chunk >= total) throw internalError(`there are ${total - 1} chunks, ${chunk} is invalid`);
  const from = chunk * GENESIS_CHUNK_BYTES;
  return `{"chunk":"${chunk}","total":"${total}","data":"${bytesToBase64(text.subarray(from, from + GENESIS_CHUNK_BYTES))}"}`;
}

/** Those of the genesis, which hold at every height. */
export function consensusParams({ chain }: Node, params: Params): Result {
  const height = pickHeight(chain, params, chain.latestHeight() + 1);
  return `{"block_height":"${height}","consensus_params":${goJson(chain.genesis.consensus_params ?? null)}}`;
}

export function abciInfo({ chain }: Node): Result {
  const height = chain.latestHeight();
  const appVersion = chain.appVersion === 0 ? '' : `,"app_version":"${chain.appVersion}"`;
  const appHash = Buffer.from(chain.block(height)?.nextAppHash ?? '', 'hex').toString('base64');
  // protobuf's JSON leaves out what is empty
  const last = height === 0 ? '' : `,"last_block_height":"${height}","last_block_app_hash":"${appHash}"`;
  return `{"response":{"data":"${APP_NAME}","version":${quote(chain.binaryVersion)}${appVersion}${last}}}`;
}
