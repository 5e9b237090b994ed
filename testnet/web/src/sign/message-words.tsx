import type { ComponentChildren } from 'preact';
import type { KindClass } from '../../../../clients/ts/src/client.ts';
import { useAssetFacts } from '../data/assets.ts';
import { denomText, useChain } from '../data/chain.ts';
import { Address } from '../parts/address.tsx';
import { Amount } from '../parts/amount.tsx';
import { AssetLink } from '../parts/asset-link.tsx';
import { ChainText } from '../parts/chain-text.tsx';
import { Hash } from '../parts/hash.tsx';
import { KIND_WORDS } from '../text/kinds.ts';
import { exactTime } from '../text/times.ts';
import { type Fields, fieldsOf, type Json, type Message } from '../wallet/json.ts';

/** What each message does, in words made of the message itself: nothing is said that is not signed, every digit is shown. */
export function MessageWords({ messages }: { readonly messages: readonly Message[] }) {
  // of an asset that this very tx creates nobody else can tell the decimals
  const created = messages.find((message) => message['@type'].endsWith('.asset.v1.MsgCreateAsset'));
  return (
    <ol>
      {messages.map((message, at) => (
        <li key={at}>
          <Words message={message} created={created} />
        </li>
      ))}
    </ol>
  );
}

interface Told {
  readonly message: Message;
  readonly created: Message | undefined;
}

function Words({ message, created }: Told) {
  const text = (name: string): string => String(message[name] ?? '');
  const type = message['@type'].replace(/^\/[^.]*\./, '');
  const units = (
    <ExactUnits
      assetId={text('asset_id')}
      kindId={Number(message.kind_id ?? 0)}
      units={text('units')}
      created={created}
    />
  );
  switch (type) {
    case 'bank.v1beta1.MsgSend':
      return (
        <>
          Send <Coins coins={message.amount} /> to <Address value={text('to_address')} whole />.
        </>
      );
    case 'rights.v1.MsgTransfer':
      return (
        <>
          Give {units} to <Address value={text('to')} whole />.
        </>
      );
    case 'rights.v1.MsgIssue':
      return (
        <>
          Issue {units} to <Address value={text('recipient')} whole />.
        </>
      );
    case 'payout.v1.MsgClaim':
      return (
        <>
          Take the income in <Denom denom={text('denom')} /> of kind {Number(message.kind_id ?? 0)} of{' '}
          <AssetLink id={text('asset_id')} />
          {text('ref') !== '' && <>, which {text('ref')} routes to you</>}: all that there is when the block
          is made.
        </>
      );
    case 'payout.v1.MsgDistribute':
      return (
        <>
          Pay <Coins coins={[message.amount ?? null]} /> to the holders of kind {Number(message.kind_id ?? 0)}{' '}
          of <AssetLink id={text('asset_id')} />, each by their units. It cannot be taken back.
        </>
      );
    case 'settlement.v1.MsgAccept':
      return (
        <>
          Accept <a href={`/settlement/${text('id')}`}>settlement {text('id')}</a>: both sides move in one
          block, or neither does.
        </>
      );
    case 'settlement.v1.MsgCancel':
      return (
        <>
          Cancel <a href={`/settlement/${text('id')}`}>settlement {text('id')}</a>: what is locked for it goes
          back.
        </>
      );
    case 'asset.v1.MsgCreateAsset':
      return <CreateWords message={message} />;
    case 'asset.v1.MsgLockIssuance':
      return <>End issuance for good: nobody, not even you, can ever issue more units of this asset.</>;
    default:
      return (
        <>
          Send the message <ChainText text={message['@type']} />, which this page has no words for. Read it
          below before you sign.
        </>
      );
  }
}

function CreateWords({ message }: { readonly message: Message }) {
  const kinds = listOf(message.kinds).map(fieldsOf);
  const hash = hexOf(String(message.meta_hash ?? ''));
  return (
    <>
      Create an asset of which you are the issuer, with{' '}
      {kinds.length === 1 ? 'one kind' : `${kinds.length} kinds`} of rights:{' '}
      {kinds.map((kind, at) => `${at}, ${kindText(kind)}`).join('; ')}. Income is paid in{' '}
      <Denom denom={String(message.settlement_denom ?? '')} />
      {hash !== '' && (
        <>
          , and its document is the one with the hash <Hash value={hash} what="document hash" />
        </>
      )}
      .
    </>
  );
}

function kindText(kind: Fields): string {
  const kindClass = String(kind.class).replace('KIND_CLASS_', '') as KindClass;
  const { ends_at } = fieldsOf(kind.term);
  const name = KIND_WORDS[kindClass]?.name.toLowerCase() ?? kindClass;
  return ends_at === undefined ? name : `${name} until ${exactTime(String(ends_at))}`;
}

function ExactUnits({
  assetId,
  kindId,
  units,
  created,
}: {
  readonly assetId: string;
  readonly kindId: number;
  readonly units: string;
  readonly created: Message | undefined;
}) {
  const { data } = useAssetFacts(created === undefined ? assetId : undefined);
  const specified = fieldsOf(listOf(created?.kinds)[kindId]).decimals;
  const decimals = data?.kinds[kindId]?.decimals ?? (typeof specified === 'number' ? specified : undefined);
  return (
    <>
      {decimals === undefined ? (
        <>{units} base units</>
      ) : (
        <>
          <Amount value={units} decimals={decimals} maxFraction={decimals} /> units
        </>
      )}{' '}
      of kind {kindId} of {created === undefined ? <AssetLink id={assetId} /> : 'the new asset'}
    </>
  );
}

export function Coins({ coins }: { readonly coins: Json | undefined }) {
  const { data: chain } = useChain();
  const rows = listOf(coins).map(fieldsOf);
  return (
    <>
      {rows.map(({ denom, amount }, at): ComponentChildren => {
        const { symbol, decimals } = denomText(chain, String(denom));
        return (
          <>
            {at > 0 && ' and '}
            <Amount value={String(amount)} decimals={decimals} symbol={symbol} maxFraction={decimals} />
          </>
        );
      })}
    </>
  );
}

function Denom({ denom }: { readonly denom: string }) {
  const { data: chain } = useChain();
  return <>{denomText(chain, denom).symbol}</>;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function hexOf(base64: string): string {
  return [...atob(base64)].map((char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}
