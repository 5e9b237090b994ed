import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Asset, AssetGraph } from '../../../../../clients/ts/src/client.ts';
import { useAnswer } from '../../data/answers.ts';
import { told, v1 } from '../../data/client.ts';
import { Address } from '../../parts/address.tsx';
import { Amount } from '../../parts/amount.tsx';
import { Answer, Empty } from '../../parts/answer.tsx';
import { Section } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { shareText } from '../../text/assets.ts';
import { kindNameOf } from '../../text/kinds.ts';
import { Bands, isOf, type Pointed } from './picture/bands.tsx';
import { type Band, type Layout, layOut } from './picture/layout.ts';
import css from './picture.module.css';

const EVERY_MS = 15_000;

/** Who holds which part of which kind, as a picture and as a table. */
export function Picture({ asset }: { readonly asset: Asset }) {
  const asked = useAnswer(
    ['graph', asset.id],
    () => told(v1.GET('/v1/assets/{id}/graph', { params: { path: { id: asset.id } } })),
    { everyMs: EVERY_MS },
  );
  return (
    <Section title="Who holds what">
      <p>
        Each kind stands on the left, its largest holders on the right. A band is as thick as the holder's
        share of the kind, so that kinds of any size can be compared. The hatched part of a band is locked and
        cannot move.
      </p>
      <Answer asked={asked} rows={14}>
        {(graph) => <Drawn asset={asset} graph={graph} />}
      </Answer>
    </Section>
  );
}

function Drawn({ asset, graph }: { readonly asset: Asset; readonly graph: AssetGraph }) {
  const layout = useMemo(() => layOut(graph.kinds), [graph]);
  const [pointed, setPointed] = useState<Pointed>();
  if (layout.bands.length === 0)
    return <Empty>No units have been issued yet, so that nobody holds any.</Empty>;
  return (
    <>
      <Reading asset={asset} graph={graph} layout={layout} pointed={pointed} />
      <div class={css.picture} style={{ height: `${layout.height}px` }}>
        <ul class={css.kinds} aria-label="Kinds">
          {layout.kinds.map(({ kindId, top, height }) => (
            <li
              key={kindId}
              style={{ top: `${top}px`, height: `${height}px` }}
              onMouseEnter={() => setPointed({ kindId })}
              onMouseLeave={() => setPointed(undefined)}
              onFocusCapture={() => setPointed({ kindId })}
              onBlurCapture={() => setPointed(undefined)}
            >
              <a href={`/asset/${asset.id}?tab=holders&kind=${kindId}`}>{kindNameOf(asset, kindId)}</a>
            </li>
          ))}
        </ul>
        <Measured>
          {(width) => <Bands layout={layout} width={width} pointed={pointed} onPoint={setPointed} />}
        </Measured>
        <ul class={css.holders} aria-label="Holders, largest first">
          {layout.holders.map(({ holder, top, rowHeight }) => (
            <li
              key={holder ?? ''}
              style={{ top: `${top}px`, height: `${rowHeight}px` }}
              onMouseEnter={() => setPointed({ holder })}
              onMouseLeave={() => setPointed(undefined)}
              onFocusCapture={() => setPointed({ holder })}
              onBlurCapture={() => setPointed(undefined)}
            >
              {holder === undefined ? <span class="soft">all others</span> : <Address value={holder} />}
            </li>
          ))}
        </ul>
      </div>
      <details class={css.figures}>
        <summary>The figures</summary>
        <Figures asset={asset} graph={graph} bands={layout.bands} />
      </details>
    </>
  );
}

/** What the reader points at, in words, in a line whose room is kept. */
function Reading({
  asset,
  graph,
  layout,
  pointed,
}: {
  readonly asset: Asset;
  readonly graph: AssetGraph;
  readonly layout: Layout;
  readonly pointed: Pointed;
}) {
  if (pointed === undefined)
    return <p class={`${css.reading} soft`}>Point at a kind, a holder or a band to read it.</p>;
  const bands = layout.bands.filter((band) => isOf(band, pointed));
  const shareOf = (band: Band) => shareText(band.units, supplyOf(graph, band.kindId));
  if ('kindId' in pointed) {
    const locked = bands.reduce((sum, band) => sum + BigInt(band.locked), 0n);
    const count = asset.kinds.find(({ kind_id }) => kind_id === pointed.kindId)?.holder_count ?? 0;
    return (
      <p class={css.reading}>
        <strong>{kindNameOf(asset, pointed.kindId)}</strong>: {count} {count === 1 ? 'holder' : 'holders'}
        {locked > 0n && `, ${shareText(locked, supplyOf(graph, pointed.kindId))} locked`}
      </p>
    );
  }
  return (
    <p class={css.reading}>
      {pointed.holder === undefined ? <strong>All others</strong> : <strong>This holder</strong>}:{' '}
      {bands
        .map((band) => {
          const locked = band.locked === '0' ? '' : ` (${shareText(band.locked, band.units)} of it locked)`;
          return `${shareOf(band)} of ${kindNameOf(asset, band.kindId)}${locked}`;
        })
        .join(', ')}
    </p>
  );
}

function supplyOf(graph: AssetGraph, kindId: number): string {
  return graph.kinds.find(({ kind_id }) => kind_id === kindId)?.supply ?? '0';
}

function Figures({
  asset,
  graph,
  bands,
}: {
  readonly asset: Asset;
  readonly graph: AssetGraph;
  readonly bands: readonly Band[];
}) {
  const units = (band: Band, value: string) => (
    <Amount
      value={value}
      decimals={asset.kinds.find(({ kind_id }) => kind_id === band.kindId)?.decimals ?? 0}
    />
  );
  return (
    <Table
      label="Shares by kind and holder"
      rows={bands}
      keyOf={({ kindId, holder }) => `${kindId}/${holder ?? ''}`}
      columns={[
        { head: 'Kind', cell: ({ kindId }) => kindNameOf(asset, kindId) },
        {
          head: 'Holder',
          cell: ({ holder }) =>
            holder === undefined ? <span class="soft">all others</span> : <Address value={holder} />,
        },
        { head: 'Units', right: true, cell: (band) => units(band, band.units) },
        {
          head: 'Share',
          right: true,
          cell: (band) => shareText(band.units, supplyOf(graph, band.kindId)),
        },
        {
          head: 'Locked',
          right: true,
          cell: (band) => (band.locked === '0' ? <span class="soft">none</span> : units(band, band.locked)),
        },
      ]}
    />
  );
}

/** A picture as wide as its room, and drawn anew when that changes. */
function Measured({ children }: { readonly children: (width: number) => ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (box.current === null) return;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return (
    <div class={css.middle} ref={box}>
      {width > 0 && children(width)}
    </div>
  );
}
