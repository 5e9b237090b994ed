/**
 * Rule 3 of api.md's endpoints over the recorded chain: which accounts took part in which tx. Decisions, where the
 * rule leaves room:
 * - A signer is what the message's own `cosmos.msg.v1.signer` option names. The messages inside a MsgExec or a
 *   proposal have signers of their own, who did not sign this tx: they take part only through their coins.
 * - A recipient, grantee or granter named by a message is no signer; it takes part when its coins move. So a failed
 *   send shows on the sender's page alone, and a fee granter shows because the fee was taken from it.
 * - A validator operator takes part as its account form; MsgConvertERC20's hex sender as its bech32 form.
 * - A creation that reverted or failed in the ante deployed nothing.
 * - Transfer logs: topic 0 of Transfer(address,address,uint256) with both parties as indexed words, whatever else
 *   is indexed (ERC-20 and ERC-721). Receipts of reverted txs have no logs.
 * - The zero address is no party, wherever it stands. Module accounts are left out of bank movements only.
 * - Typed events have subjects only by a module's derivation rule; this chain has no such module.
 */

import { id } from 'ethers';
import { type Json, type Message, type OracleTx, oracleTxs } from '../support/oracle.ts';
import { accountOf, isZeroAddress, moduleAccounts, topicAddress } from './addresses.ts';
import { type RefEvent, type RefTx, referenceTxs } from './txs.ts';

export interface RefAccountTx {
  readonly height: number;
  readonly txIndex: number;
  readonly method: string;
}

/** Where each message type of the recording names its signers. */
const SIGNERS: Readonly<Record<string, (message: Message) => readonly (Json | undefined)[]>> = {
  '/cosmos.evm.vm.v1.MsgEthereumTx': (m) => [hexOfBase64(m.from)],
  '/cosmos.evm.erc20.v1.MsgRegisterERC20': (m) => [m.signer],
  '/cosmos.evm.erc20.v1.MsgConvertERC20': (m) => [m.sender],
  '/cosmos.evm.erc20.v1.MsgConvertCoin': (m) => [m.sender],
  '/cosmos.bank.v1beta1.MsgSend': (m) => [m.from_address],
  '/cosmos.bank.v1beta1.MsgMultiSend': (m) => list(m.inputs).map((input) => field(input, 'address')),
  '/cosmos.staking.v1beta1.MsgCreateValidator': (m) => [m.validator_address],
  '/cosmos.staking.v1beta1.MsgEditValidator': (m) => [m.validator_address],
  '/cosmos.staking.v1beta1.MsgDelegate': (m) => [m.delegator_address],
  '/cosmos.staking.v1beta1.MsgUndelegate': (m) => [m.delegator_address],
  '/cosmos.staking.v1beta1.MsgBeginRedelegate': (m) => [m.delegator_address],
  '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation': (m) => [m.delegator_address],
  '/cosmos.slashing.v1beta1.MsgUnjail': (m) => [m.validator_addr],
  '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward': (m) => [m.delegator_address],
  '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress': (m) => [m.delegator_address],
  '/cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission': (m) => [m.validator_address],
  '/cosmos.distribution.v1beta1.MsgFundCommunityPool': (m) => [m.depositor],
  '/cosmos.authz.v1beta1.MsgGrant': (m) => [m.granter],
  '/cosmos.authz.v1beta1.MsgRevoke': (m) => [m.granter],
  '/cosmos.authz.v1beta1.MsgExec': (m) => [m.grantee],
  '/cosmos.feegrant.v1beta1.MsgGrantAllowance': (m) => [m.granter],
  '/cosmos.feegrant.v1beta1.MsgRevokeAllowance': (m) => [m.granter],
  '/cosmos.gov.v1.MsgSubmitProposal': (m) => [m.proposer],
  '/cosmos.gov.v1.MsgCancelProposal': (m) => [m.proposer],
  '/cosmos.gov.v1.MsgDeposit': (m) => [m.depositor],
  '/cosmos.gov.v1.MsgVote': (m) => [m.voter],
  '/cosmos.gov.v1.MsgVoteWeighted': (m) => [m.voter],
  '/cosmos.gov.v1beta1.MsgVote': (m) => [m.voter],
  '/ibc.applications.transfer.v1.MsgTransfer': (m) => [m.sender],
};

const BANK_PARTIES: Readonly<Record<string, readonly string[]>> = {
  coin_spent: ['spender'],
  coin_received: ['receiver'],
  transfer: ['sender', 'recipient'],
};

const TRANSFER_TOPIC = id('Transfer(address,address,uint256)');

let accounts: ReadonlyMap<string, readonly RefAccountTx[]> | undefined;

/** Per canonical bech32 account its txs, one row each, ordered by (height, tx index). */
export function referenceAccounts(): ReadonlyMap<string, readonly RefAccountTx[]> {
  if (accounts !== undefined) return accounts;
  const rows = new Map<string, RefAccountTx[]>();
  const lineAt = new Map(oracleTxs().map((line) => [`${line.height}/${line.index}`, line]));
  for (const tx of referenceTxs()) {
    const line = lineAt.get(`${tx.height}/${tx.txIndex}`);
    if (line === undefined) throw new Error(`no oracle line ${tx.height}/${tx.txIndex}`);
    for (const account of participants(tx, line)) {
      const row = { height: tx.height, txIndex: tx.txIndex, method: tx.method };
      const held = rows.get(account);
      if (held === undefined) rows.set(account, [row]);
      else held.push(row);
    }
  }
  accounts = rows;
  return rows;
}

/** The accounts that took part in one tx. */
export function participants(tx: RefTx, line: OracleTx): ReadonlySet<string> {
  const modules = moduleAccountsOnce();
  return new Set([
    ...signers(line),
    ...ethereumParties(tx).map(accountOf),
    ...tx.events.flatMap(bankParties).filter((account) => !modules.has(account)),
  ]);
}

export function signers(line: OracleTx): readonly string[] {
  const named = line.rest.tx.body.messages.flatMap((message) => {
    const signersOf = SIGNERS[message['@type']];
    if (signersOf === undefined) throw new Error(`no signer field known for ${message['@type']}`);
    return signersOf(message);
  });
  const payer = line.rest.tx.auth_info.fee.payer;
  return [...named, ...(payer === '' ? [] : [payer])].map((address) => {
    if (typeof address !== 'string' || address === '') throw new Error('a message without its signer');
    return accountOf(address);
  });
}

function ethereumParties(tx: RefTx): readonly string[] {
  if (tx.evm === null) return [];
  const parties = [tx.evm.from, tx.evm.to, tx.contract];
  for (const { topics } of tx.logs) {
    if (topics[0] !== TRANSFER_TOPIC) continue;
    const [sender, recipient] = [topicAddress(topics[1]), topicAddress(topics[2])];
    if (sender !== undefined && recipient !== undefined) parties.push(sender, recipient);
  }
  return parties.filter((address) => address !== null).filter((address) => !isZeroAddress(address));
}

function bankParties(event: RefEvent): readonly string[] {
  const keys = BANK_PARTIES[event.type];
  if (keys === undefined) return [];
  return event.attributes.filter(({ key }) => keys.includes(key)).map(({ value }) => accountOf(value));
}

let modules: ReadonlySet<string> | undefined;
function moduleAccountsOnce(): ReadonlySet<string> {
  modules ??= moduleAccounts();
  return modules;
}

function hexOfBase64(value: Json | undefined): string {
  if (typeof value !== 'string') throw new Error('not base64');
  return `0x${Buffer.from(value, 'base64').toString('hex')}`;
}

function list(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new Error('not a list');
  return value;
}

function field(value: Json, key: string): Json | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error('not an object');
  return (value as Readonly<Record<string, Json>>)[key];
}
