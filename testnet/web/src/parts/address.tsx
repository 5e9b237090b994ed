import { type ChainFacts, useChain } from '../data/chain.ts';
import { myAddress } from '../data/me.ts';
import { bech32Of } from '../text/addresses.ts';
import { shortAddress } from '../text/shorten.ts';
import css from './address.module.css';
import { Copy } from './copy.tsx';

/**
 * An account: its mark, its name where it has one, shortened, with a button that copies it. Empty addresses are a dash.
 * Within a sentence it is bare, without mark and button. Both forms of an account have the same mark and name.
 */
export function Address({
  value,
  whole = false,
  isBare = false,
}: {
  readonly value: string;
  readonly whole?: boolean;
  readonly isBare?: boolean;
}) {
  const { data: chain } = useChain();
  if (value === '') return <span class="soft">—</span>;
  const canonical = (chain === undefined ? undefined : bech32Of(value, chain.hrp)) ?? value;
  const name = nameOf(canonical, value, chain);
  if (isBare)
    return (
      <a class={name === undefined ? 'mono' : css.named} href={`/account/${value}`} title={value}>
        {name ?? shortAddress(value)}
      </a>
    );
  return (
    <span class={css.address} title={value}>
      <Mark of={canonical} />
      <a class={name === undefined ? 'mono' : css.named} href={`/account/${value}`}>
        {name ?? (whole ? value : shortAddress(value))}
      </a>
      {name !== undefined && whole && <span class="mono soft">{value}</span>}
      <Copy text={value} what="address" />
    </span>
  );
}

const CONTRACTS = [
  ['factory', 'Pool factory'],
  ['router', 'Router'],
  ['stable', 'Stable token'],
  ['wrapped_native', 'Wrapped gas token'],
] as const;

function nameOf(canonical: string, value: string, chain: ChainFacts | undefined): string | undefined {
  if (canonical === myAddress.value) return 'Your wallet';
  const contract = CONTRACTS.find(([key]) => chain?.contracts?.[key]?.toLowerCase() === value.toLowerCase());
  return contract?.[1] ?? chain?.names.find(({ address }) => address === canonical)?.name;
}

const CELLS = 5;

/** The same small figure for the same address everywhere: five mirrored columns of its hash. */
export function Mark({ of }: { readonly of: string }) {
  const hash = fnv(of.toLowerCase());
  const cells = Array.from({ length: 15 }, (_, i) => ({
    x: i % 3,
    y: Math.floor(i / 3),
    on: ((hash >>> i) & 1) === 1,
  }));
  const hue = hash % 360;
  return (
    <svg class={css.mark} viewBox="0 0 5 5" aria-hidden="true" style={{ color: `oklch(0.62 0.09 ${hue})` }}>
      {cells
        .filter(({ on }) => on)
        .flatMap(({ x, y }) =>
          x === 2
            ? [[x, y]]
            : [
                [x, y],
                [CELLS - 1 - x, y],
              ],
        )
        .map(([x, y]) => (
          <rect key={`${x}-${y}`} x={x} y={y} width="1" height="1" fill="currentColor" />
        ))}
    </svg>
  );
}

/** FNV-1a, 32 bits. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}
