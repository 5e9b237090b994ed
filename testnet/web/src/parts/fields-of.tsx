import type { ComponentChildren } from 'preact';
import { dateTimeText, exactTime } from '../text/times.ts';
import { Address } from './address.tsx';
import { Coin } from './amount.tsx';
import { AssetLink } from './asset-link.tsx';
import { ChainText } from './chain-text.tsx';
import css from './fields-of.module.css';
import { Hash } from './hash.tsx';
import { Facts } from './page.tsx';
import { Units } from './units.tsx';

type Json = Readonly<Record<string, unknown>>;

/** A message or an event as named fields: accounts and assets linked, amounts with their decimals, all else as it is. */
export function FieldsOf({ value }: { readonly value: Json }) {
  const names = Object.keys(value).filter((name) => name !== '@type');
  if (names.length === 0) return <p class="soft">It has no fields.</p>;
  return (
    <Facts
      rows={names.map((name) => [
        name.replaceAll('_', ' '),
        <Value key={name} name={name} value={value[name]} of={value} />,
      ])}
    />
  );
}

const ADDRESS = /^[a-z]+1[02-9ac-hj-np-z]{38,58}$|^0x[0-9a-fA-F]{40}$/;
const ID = /^[0-9a-f]{64}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
/** 20 bytes in base64: how an Ethereum message has its sender. */
const BYTES_20 = /^[A-Za-z0-9+/]{27}=$/;
/** 32 bytes in base64, as proto's JSON has bytes; hashes are hex wherever else they are told. */
const BYTES_32 = /^[A-Za-z0-9+/]{43}=$/;
/** Longer ones are bytes, of which nobody reads more than the ends. */
const MOST = 240;

function Value({ name, value, of }: { readonly name: string; readonly value: unknown; readonly of: Json }) {
  if (value === null || value === undefined || value === '') return <span class="soft">not set</span>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'string') return <Text name={name} text={value} of={of} />;
  if (Array.isArray(value)) return <Items name={name} items={value} of={of} />;
  if (typeof value !== 'object') return <span class="mono">{String(value)}</span>;
  const { amount, denom, ...rest } = value as Json;
  if (isAmount(amount) && typeof denom === 'string' && Object.keys(rest).length === 0)
    return <Coin amount={amount} denom={denom} />;
  return <FieldsOf value={value as Json} />;
}

function Text({ name, text, of }: { readonly name: string; readonly text: string; readonly of: Json }) {
  if (ADDRESS.test(text)) return <Address value={text} whole />;
  if (name === 'asset_id' && ID.test(text)) return <AssetLink id={text} />;
  if (TIME.test(text)) return <time title={exactTime(text)}>{dateTimeText(text)} UTC</time>;
  const { asset_id: assetId, kind_id: kindId, denom } = of;
  const isOfKind = typeof assetId === 'string' && ID.test(assetId) && typeof kindId === 'number';
  if (isAmount(text) && name.startsWith('units') && isOfKind)
    return <Units assetId={assetId} kindId={kindId} value={text} />;
  if (isAmount(text) && name === 'amount' && typeof denom === 'string')
    return <Coin amount={text} denom={denom} />;
  if (name.endsWith('_hash') && BYTES_32.test(text)) return <Hash value={hexOf(text)} whole what={name} />;
  if (name === 'from' && BYTES_20.test(text)) return <Address value={`0x${hexOf(text)}`} whole />;
  if (text.length > MOST) return <Hash value={text} what={name} />;
  return (
    <span class="mono">
      <ChainText text={text} />
    </span>
  );
}

function Items({
  name,
  items,
  of,
}: {
  readonly name: string;
  readonly items: readonly unknown[];
  readonly of: Json;
}): ComponentChildren {
  if (items.length === 0) return <span class="soft">none</span>;
  return (
    <ol class={css.items}>
      {items.map((item, at) => (
        <li key={at}>
          <Value name={name} value={item} of={of} />
        </li>
      ))}
    </ol>
  );
}

function hexOf(base64: string): string {
  return Array.from(atob(base64), (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

function isAmount(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,80}$/.test(value);
}
