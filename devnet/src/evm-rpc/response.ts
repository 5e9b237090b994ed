import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** What an Ethereum tx left in its result (cosmos.evm.vm.v1.MsgEthereumTxResponse), read without its logs. */
export interface EthereumResponse {
  /** Empty for a success. */
  readonly vmError: string;
  readonly gasUsed: bigint;
  /** Reads one after another: a tx may have thousands. */
  logs(): Iterable<ExecutedLog>;
}

export interface ExecutedLog {
  /** 0x-hex in lower case: of 20 bytes, and of 32 each. */
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: Uint8Array;
  /** In the block. */
  readonly index: number;
}

const NO_BYTES = new Uint8Array(0);

/** Of a TxMsgData, one for each message; empty where the tx failed. */
export function readResponses(data: Uint8Array): readonly EthereumResponse[] {
  return members(data, 2).map((any) => readResponse(members(any, 2)[0] ?? NO_BYTES));
}

function readResponse(response: Uint8Array): EthereumResponse {
  let vmError = '';
  let gasUsed = 0n;
  const reader = new BinaryReader(response);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 4) vmError = reader.string();
    else if (field === 5) gasUsed = BigInt(reader.uint64());
    else reader.skip(type, field);
  }
  return { vmError, gasUsed, logs: () => logsOf(response) };
}

function* logsOf(response: Uint8Array): Generator<ExecutedLog> {
  const reader = new BinaryReader(response);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 2) yield readLog(reader.bytes());
    else reader.skip(type, field);
  }
}

function readLog(bytes: Uint8Array): ExecutedLog {
  let address = '';
  const topics: string[] = [];
  let data: Uint8Array = new Uint8Array(0);
  let index = 0;
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1) address = reader.string().toLowerCase();
    else if (field === 2) topics.push(reader.string());
    else if (field === 3) data = reader.bytes();
    else if (field === 8) index = Number(reader.uint64());
    else reader.skip(type, field);
  }
  return { address, topics, data, index };
}

/** The members of this number that have a length. */
function members(bytes: Uint8Array, number: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === number && type === WireType.LengthDelimited) found.push(reader.bytes());
    else reader.skip(type, field);
  }
  return found;
}
