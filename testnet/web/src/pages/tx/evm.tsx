import type { EvmTx, Tx } from '../../../../../clients/ts/src/client.ts';
import { Address } from '../../parts/address.tsx';
import { Coin } from '../../parts/amount.tsx';
import { Badge } from '../../parts/badge.tsx';
import { ChainText } from '../../parts/chain-text.tsx';
import { Hash } from '../../parts/hash.tsx';
import { Facts } from '../../parts/page.tsx';
import { Say } from '../../parts/sentence.tsx';
import { countText } from '../../text/amounts.ts';
import { ETHEREUM_CALLS } from '../../text/ethereum-calls.ts';
import { ethereumInput } from '../../text/ethereum-input.ts';
import { deniedAsset, reasonSentence } from '../../text/sentences/reasons.ts';

/** The transaction as the EVM sees it. */
export function EvmView({ tx, evm }: { readonly tx: Tx; readonly evm: NonNullable<EvmTx> }) {
  const raw = tx.msgs[0]?.raw;
  const input = typeof raw === 'string' ? ethereumInput(raw) : undefined;
  const denied = deniedAsset(evm.revert_reason ?? '');
  return (
    <Facts
      rows={[
        ['Hash', <Hash key="hash" value={evm.eth_hash} whole what="Ethereum hash" />],
        [
          'Status',
          evm.status === 1 ? (
            <Badge key="status" tone="good">
              success
            </Badge>
          ) : (
            <Badge key="status" tone="bad">
              reverted
            </Badge>
          ),
        ],
        ['From', <Address key="from" value={evm.from} whole />],
        ['To', evm.to === null ? 'a new contract' : <Address key="to" value={evm.to} whole />],
        ['Value', <Coin key="value" amount={evm.value.amount} denom={evm.value.denom} />],
        ['Gas used', countText(evm.gas_used)],
        ['Calls', input === undefined ? undefined : <Call key="call" input={input} />],
        [
          'Reverted because',
          evm.revert_reason === null ? undefined : (
            <span key="reason">
              <Say sentence={reasonSentence(evm.revert_reason)} />
            </span>
          ),
        ],
        [
          'In its own words',
          evm.revert_reason === null ? undefined : (
            <span key="words" class="mono">
              <ChainText text={evm.revert_reason} />
            </span>
          ),
        ],
        [
          'Policy',
          denied === undefined ? undefined : (
            <a key="policy" href={`/asset/${denied}`}>
              See what the asset's policy asks for
            </a>
          ),
        ],
      ]}
    />
  );
}

function Call({ input }: { readonly input: string }) {
  if (input === '') return <>no method: a plain transfer of coins</>;
  const selector = input.slice(0, 8);
  const call = ETHEREUM_CALLS[selector];
  return (
    <span class="mono">
      {call?.signature ?? `0x${selector}`}{' '}
      <span class="soft">{countText(input.length / 2)} bytes of input</span>
    </span>
  );
}
