import { decodeBech32, encodeBech32, isZeroBytes, parseHexAddress } from 'strata-kit/address';
import { equalBytes } from 'strata-kit/bytes';
import type { EvmExecution, EvmLog } from './evm.ts';
import { Literal } from './literal.ts';

/**
 * The accounts that took part in a tx: rule 3 under Endpoints in api.md. Accounts are canonical bech32 of the chain's
 * prefix; the zero address is no party.
 */

const TRANSFER_TOPIC = Buffer.from('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', 'hex');
const CACHE_ENTRIES = 50_000;
/** 20 bytes are 32 chars of five bits, and 6 of checksum. */
const MIN_DATA_CHARS = 38;

/** An account that came by. */
export interface SeenAccount {
  /** Canonical bech32. */
  readonly text: string;
  readonly isModule: boolean;
  /** What the node printed: another text for a validator's operator address. */
  readonly source: Literal;
  /** The list that it was added to last, so that it is not added again; for the caller to keep. */
  seenIn: readonly string[] | undefined;
}

const SLOTS = 8_192;

/** Where a text is looked up. */
interface TextBytes {
  readonly bytes: Buffer;
  matches(literal: Literal, at: number): boolean;
}

interface KnownBytes {
  readonly bytes: Uint8Array;
  /** Empty for the zero address. */
  readonly account: string;
}

export class AccountReader {
  readonly #hrp: string;
  readonly #prefix: Uint8Array;
  readonly #modules: ReadonlySet<string>;
  /** Text → canonical account, '' for what is none. Dropped whole when full: simpler than an LRU and as fast. */
  #known = new Map<string, string>();

  readonly #slots: (SeenAccount | undefined)[] = new Array(SLOTS).fill(undefined);
  /** By the last bytes. */
  readonly #byBytes: (KnownBytes | undefined)[] = new Array(SLOTS).fill(undefined);

  constructor(hrp: string, moduleAccounts: readonly string[]) {
    this.#hrp = hrp;
    this.#prefix = Buffer.from(`${hrp}1`, 'latin1');
    this.#modules = new Set(moduleAccounts);
  }

  /** Every account's text begins with it. */
  get firstByte(): number {
    return this.#prefix[0] as number;
  }

  isModule(account: string): boolean {
    return this.#modules.has(account);
  }

  /**
   * The account that the text at start..end is, undefined when it is none. The last chars of a bech32 text are its
   * checksum, and so a hash that costs nothing: accounts that came by before are found without making a string.
   */
  at(text: TextBytes, start: number, end: number): SeenAccount | undefined {
    const { bytes } = text;
    const prefix = this.#prefix;
    const length = end - start;
    if (length < prefix.length + MIN_DATA_CHARS) return undefined;
    const slot =
      ((bytes[end - 1] as number) +
        (bytes[end - 2] as number) * 37 +
        (bytes[end - 3] as number) * 1_369 +
        (bytes[end - 4] as number) * 50_653) &
      (SLOTS - 1);
    const candidate = this.#slots[slot];
    if (
      candidate !== undefined &&
      candidate.source.length === length &&
      text.matches(candidate.source, start)
    )
      return candidate;
    for (let i = 0; i < prefix.length; i++) if (bytes[start + i] !== prefix[i]) return undefined;
    const source = bytes.toString('latin1', start, end);
    const account = this.fromText(source);
    if (account === '') return undefined;
    const isModule = this.isModule(account);
    const seen = { text: account, isModule, source: new Literal(source), seenIn: undefined };
    this.#slots[slot] = seen;
    return seen;
  }

  /** The account a bech32 text (account or validator operator) or 0x text names, '' when none. */
  fromText(text: string): string {
    let account = this.#known.get(text);
    if (account === undefined) {
      account = this.#read(text);
      if (this.#known.size >= CACHE_ENTRIES) this.#known = new Map();
      this.#known.set(text, account);
    }
    return account;
  }

  fromBytes(bytes: Uint8Array): string {
    if (bytes.length !== 20 && bytes.length !== 32) return '';
    const { length } = bytes;
    const slot = ((bytes[length - 1] as number) | ((bytes[length - 2] as number) << 8)) & (SLOTS - 1);
    const known = this.#byBytes[slot];
    if (known !== undefined && equalBytes(known.bytes, bytes)) return known.account;
    const account = isZeroBytes(bytes) ? '' : encodeBech32(this.#hrp, bytes);
    this.#byBytes[slot] = { bytes: Uint8Array.from(bytes), account };
    return account;
  }

  /** The raw bytes of an account's text, undefined when it is none. */
  bytesOf(text: string): Uint8Array | undefined {
    const account = this.fromText(text);
    return account === '' ? undefined : decodeBech32(account)?.bytes;
  }

  #read(text: string): string {
    if (text.startsWith('0x') || text.startsWith('0X')) {
      const bytes = parseHexAddress(text.toLowerCase());
      return bytes === undefined ? '' : this.fromBytes(bytes);
    }
    const parsed = decodeBech32(text);
    if (parsed === undefined) return '';
    if (parsed.hrp !== this.#hrp && parsed.hrp !== `${this.#hrp}valoper`) return '';
    return this.fromBytes(parsed.bytes);
  }
}

/** Adds sender, recipient, created contract and the parties of Transfer logs of an Ethereum message. */
export function addEvmParties(execution: EvmExecution, accounts: AccountReader, parties: Set<string>): void {
  addBytes(execution.sender, accounts, parties);
  if (execution.call.to !== undefined) addBytes(execution.call.to, accounts, parties);
  if (execution.contract !== undefined) addBytes(execution.contract, accounts, parties);
  for (const log of execution.logs) addTransferParties(log, accounts, parties);
}

/** ERC-20 and ERC-721 index from and to as topics 1 and 2. */
function addTransferParties(log: EvmLog, accounts: AccountReader, parties: Set<string>): void {
  const [signature, from, to] = log.topics;
  if (signature === undefined || from === undefined || to === undefined) return;
  if (!equalBytes(TRANSFER_TOPIC, signature)) return;
  addBytes(from.subarray(12), accounts, parties);
  addBytes(to.subarray(12), accounts, parties);
}

function addBytes(bytes: Uint8Array, accounts: AccountReader, parties: Set<string>): void {
  const account = accounts.fromBytes(bytes);
  if (account !== '') parties.add(account);
}
