import { splitRange } from '../chain/envelope.ts';
import { splitDamaged } from '../chain/envelope-damaged.ts';
import type { RawRange } from '../chain/source.ts';
import type { Decoder } from '../decode/decoder.ts';
import type { DecodedRange, SalvageWish } from '../decode/range.ts';

/** What a decode worker is given. */
export interface DecodeTask {
  readonly range: RawRange;
  /** The range is one block that is to be kept although its results cannot be used. */
  readonly salvage?: SalvageWish;
}

/** Errors: those of splitRange, splitDamaged and Decoder. */
export function runDecodeTask(decoder: Decoder, { range, salvage }: DecodeTask): DecodedRange {
  if (salvage === undefined) return decoder.decodeRange(splitRange(range), range.byteLength);
  return decoder.salvage(splitDamaged(range), salvage, range.byteLength);
}
