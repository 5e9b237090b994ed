import type { UnknownField } from '@bufbuild/protobuf';
import type { WireType } from '@bufbuild/protobuf/wire';
import { type ChainError, sdkError } from '../chain-error.ts';

/** As Go names them. */
const WIRE_TYPES: Readonly<Record<WireType, string>> = {
  0: 'varint',
  1: 'fixed64',
  2: 'bytes',
  3: 'start_group',
  4: 'end_group',
  5: 'fixed32',
};
/** ADR-020: a field whose number has this bit may be passed over where non-critical fields are allowed. */
const NON_CRITICAL = 1 << 10;

/** sdk/2 as the SDK's unknownproto words it, for the first field that must be known. */
export function unknownFieldError(
  typeName: string,
  fields: readonly UnknownField[],
  policy: 'refuse' | 'critical',
): ChainError | undefined {
  const field = fields.find(({ no }) => policy === 'refuse' || (no & NON_CRITICAL) === 0);
  if (field === undefined) return undefined;
  const { no, wireType } = field;
  return sdkError(
    'txDecode',
    `errUnknownField "/${typeName}": {TagNum: ${no}, WireType:"${WIRE_TYPES[wireType]}"}: tx parse error`,
  );
}
