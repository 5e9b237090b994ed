import { equalBytes } from 'strata-kit/bytes';
import { sdkError } from 'strata-kit/chain-error';
import type { Codec } from 'strata-kit/codec/codec';
import type { Json, JsonObject } from 'strata-kit/proto-json';

export interface Envelope {
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
  readonly body: JsonObject;
  readonly authInfo: JsonObject;
}

const TX_BODY = '/cosmos.tx.v1beta1.TxBody';
const AUTH_INFO = '/cosmos.tx.v1beta1.AuthInfo';

/**
 * No signature covers the body and auth info around an Ethereum tx. Anyone who passes it on could write them in other bytes,
 * and so give the tx another hash. So there is one way to write them: fields by number, each as short as it can be, nothing
 * that the Ethereum tx does not need. Errors: sdk/2.
 */
export function requireOneEnvelope(
  codec: Codec,
  { bodyBytes, authInfoBytes, body, authInfo }: Envelope,
): void {
  const fee = authInfo.fee as JsonObject | null;
  const surplus =
    length(body.non_critical_extension_options) > 0
      ? 'NonCriticalExtensionOptions'
      : body.unordered === true || isSet(body.timeout_timestamp)
        ? 'Unordered'
        : isSet(authInfo.tip)
          ? 'Tip'
          : length(fee?.amount) > 1
            ? 'a second fee coin'
            : undefined;
  if (surplus !== undefined) throw refusal(`for eth tx there should be no ${surplus}`);
  if (
    !equalBytes(codec.encode(TX_BODY, body), bodyBytes) ||
    !equalBytes(codec.encode(AUTH_INFO, authInfo), authInfoBytes)
  )
    throw refusal('for eth tx body and auth info should be in their shortest form, without unknown fields');
}

function length(list: Json | undefined): number {
  return Array.isArray(list) ? list.length : 0;
}

function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

function refusal(reason: string) {
  return sdkError('txDecode', `${reason}: tx parse error`);
}
