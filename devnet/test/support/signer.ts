import {
  DirectSecp256k1Wallet,
  encodePubkey,
  makeAuthInfoBytes,
  makeSignDoc,
  Registry,
} from '@cosmjs/proto-signing';
import { defaultRegistryTypes } from '@cosmjs/stargate';
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import type { Devnet } from '../../src/devnet.ts';
import { account } from '../../src/modules/auth/keeper.ts';

/** Signs as cosmjs does, so that the chain's own signing code is no judge of itself. */

export interface TestSigner {
  readonly address: string;
  /** Signed bytes of a tx; sequence and number are the chain's own unless given. */
  sign(devnet: Devnet, messages: readonly TestMessage[], given?: SignOptions): Promise<Uint8Array>;
}

export interface TestMessage {
  readonly typeUrl: string;
  readonly value: unknown;
}

export interface SignOptions {
  readonly sequence?: number;
  readonly accountNumber?: number;
  readonly chainId?: string;
  readonly gas?: number;
  readonly fee?: readonly { readonly denom: string; readonly amount: string }[];
  readonly memo?: string;
  readonly timeoutHeight?: bigint;
  readonly granter?: string;
}

const registry = new Registry(defaultRegistryTypes);

/** The key of 32 times this byte. */
export async function testSigner(byte: number): Promise<TestSigner> {
  const wallet = await DirectSecp256k1Wallet.fromKey(new Uint8Array(32).fill(byte), 'aeva');
  const [first] = await wallet.getAccounts();
  if (first === undefined) throw new Error('a wallet without an account');
  const { address, pubkey } = first;
  return {
    address,
    async sign(devnet, messages, given = {}) {
      const known = account(devnet.app.state, address);
      const { gas = 200_000 } = given;
      const fee = given.fee ?? [{ denom: 'aaeva', amount: String(BigInt(gas) * 1_000_000_000n) }];
      const bodyBytes = registry.encodeTxBody({
        messages: messages.map(({ typeUrl, value }) => ({ typeUrl, value })),
        memo: given.memo ?? '',
        timeoutHeight: given.timeoutHeight ?? 0n,
      });
      const sequence = given.sequence ?? Number(known?.sequence ?? 0n);
      const key = encodePubkey({
        type: 'tendermint/PubKeySecp256k1',
        value: Buffer.from(pubkey).toString('base64'),
      });
      const authInfoBytes = makeAuthInfoBytes(
        [{ pubkey: key, sequence }],
        fee,
        gas,
        given.granter,
        undefined,
      );
      const { signature } = await wallet.signDirect(
        address,
        makeSignDoc(
          bodyBytes,
          authInfoBytes,
          given.chainId ?? devnet.parameters.chainId,
          given.accountNumber ?? Number(known?.number ?? 0n),
        ),
      );
      return TxRaw.encode({
        bodyBytes,
        authInfoBytes,
        signatures: [Buffer.from(signature.signature, 'base64')],
      }).finish();
    },
  };
}

/** A MsgSend. */
export function sendMessage(from: string, to: string, amount: string, denom = 'uusd'): TestMessage {
  return {
    typeUrl: '/cosmos.bank.v1beta1.MsgSend',
    value: { fromAddress: from, toAddress: to, amount: [{ denom, amount }] },
  };
}
