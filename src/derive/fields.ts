import { base64ToHex } from 'strata-kit/bytes';
import { isObject, type JsonMap } from 'strata-kit/json';
import { parseTimeNs } from 'strata-kit/time';

/** A field of an event that is not what its proto says: the event is passed over, with one drift row. */
export class FieldError extends Error {
  readonly field: string;
  /** As JSON; empty where the field is missing. */
  readonly told: string;

  constructor(field: string, told: unknown) {
    super(`field ${field} cannot be read`);
    this.field = field;
    this.told = told === undefined ? '' : (JSON.stringify(told) ?? '');
  }
}

/** The text of a compared field that cannot be read: as JSON; empty where the field is missing. */
export class Unreadable {
  readonly told: string;

  constructor(told: string) {
    this.told = told;
  }
}

/** What an event says of a value that is only compared (modules.md rule 13). */
export type Compared = bigint | Unreadable;

/** Units and amounts are integers in [0, 2^255) (modules.md, section 1). */
const AMOUNT_END = 1n << 255n;
/** A proto timestamp is of the years 1 to 9999, and what is beyond them has no RFC 3339 text. */
const FIRST_TIME_NS = -62_135_596_800_000_000_000n;
const LAST_TIME_NS = 253_402_300_799_999_999_999n;
const DIGITS = /^(?:0|[1-9]\d*)$/;

/** Reads the fields of a typed event's proto-JSON. Errors, of every method: FieldError. */
export class Fields {
  readonly json: JsonMap;
  /** Of the fields that nothing depends on, those that could not be read. */
  readonly unread: FieldError[] = [];

  constructor(json: JsonMap) {
    this.json = json;
  }

  text(name: string): string {
    const value = this.json[name];
    if (typeof value !== 'string') throw new FieldError(name, value);
    return value;
  }

  texts(name: string): readonly string[] {
    return this.#list(name, (value): value is string => typeof value === 'string');
  }

  flag(name: string): boolean {
    const value = this.json[name];
    if (typeof value !== 'boolean') throw new FieldError(name, value);
    return value;
  }

  u32(name: string): number {
    const value = this.json[name];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 0xffff_ffff) {
      throw new FieldError(name, value);
    }
    return value;
  }

  /** Undefined where the field is not set. */
  optionalU32(name: string): number | undefined {
    const value = this.json[name];
    return value === undefined || value === null ? undefined : this.u32(name);
  }

  /** A uint64, which proto-JSON prints as a string. */
  u64(name: string): bigint {
    const value = this.integer(name);
    if (value >= 1n << 64n) throw new FieldError(name, this.json[name]);
    return value;
  }

  /** Units or an amount. */
  amount(name: string): bigint {
    const value = this.integer(name);
    if (value >= AMOUNT_END) throw new FieldError(name, this.json[name]);
    return value;
  }

  /**
   * An integer that is only compared. One that is missing or cannot be read does not stop its event: it is a difference
   * (EventContext.compare). Integers beyond the bound of amounts are differences like any other.
   */
  compared(name: string): Compared {
    try {
      return this.integer(name);
    } catch (error) {
      if (error instanceof FieldError) return new Unreadable(error.told);
      throw error;
    }
  }

  /** Reads a field that nothing depends on. One that cannot be read is one drift row, and its event counts. */
  unneeded(read: (fields: this) => unknown): void {
    try {
      read(this);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      this.unread.push(error);
    }
  }

  /** A non-negative integer of any size, as a decimal string. */
  integer(name: string): bigint {
    const value = this.json[name];
    if (typeof value !== 'string' || !DIGITS.test(value)) throw new FieldError(name, value);
    return BigInt(value);
  }

  /** Nanoseconds since 1970; undefined where the timestamp is not set. */
  timeNs(name: string): bigint | undefined {
    const value = this.json[name];
    if (value === undefined || value === null) return undefined;
    const timeNs = typeof value === 'string' ? parseTimeNs(value) : undefined;
    if (timeNs === undefined || timeNs < FIRST_TIME_NS || timeNs > LAST_TIME_NS) {
      throw new FieldError(name, value);
    }
    return timeNs;
  }

  requiredTimeNs(name: string): bigint {
    const timeNs = this.timeNs(name);
    if (timeNs === undefined) throw new FieldError(name, this.json[name]);
    return timeNs;
  }

  /** Bytes, as lower-case hex; empty where unset. */
  hex(name: string): string {
    const value = this.json[name];
    if (value === undefined || value === null) return '';
    const hex = typeof value === 'string' ? base64ToHex(value) : undefined;
    if (hex === undefined) throw new FieldError(name, value);
    return hex;
  }

  message(name: string): Fields {
    const value = this.json[name];
    if (!isObject(value)) throw new FieldError(name, value);
    return new Fields(value);
  }

  /** Undefined where the message is not set. */
  optionalMessage(name: string): Fields | undefined {
    const value = this.json[name];
    return value === undefined || value === null ? undefined : this.message(name);
  }

  messages(name: string): readonly Fields[] {
    return this.#list(name, isObject).map((value) => new Fields(value));
  }

  #list<T>(name: string, isItem: (value: unknown) => value is T): readonly T[] {
    const value = this.json[name];
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value) || !value.every(isItem)) throw new FieldError(name, value);
    return value;
  }
}
