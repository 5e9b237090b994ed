import { useSignalEffect } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { WHAT_WORDS, WHATS, type What } from '../../../../src/what.ts';
import { addNewLayers, type Layer, layers, layersError } from '../../data/layers.ts';
import { status } from '../../data/live.ts';
import { Failed, Waiting } from '../../parts/answer.tsx';
import { WhatDot } from '../../parts/badge.tsx';
import { Time } from '../../parts/time.tsx';
import colours from '../../parts/what.module.css';
import { countText } from '../../text/amounts.ts';
import css from './core-sample.module.css';

/**
 * The last 120 blocks as thin layers, newest on top: as wide as the block has txs, coloured by what happened in them.
 * Hover or arrow keys read a layer, enter opens its block.
 */
export function CoreSample() {
  const { route } = useLocation();
  const [chosen, setChosen] = useState<number | undefined>();
  const list = useRef<HTMLOListElement>(null);
  useSignalEffect(() => {
    if (status.value !== undefined) void addNewLayers();
  });
  const shown = layers.value;
  if (shown.length === 0) {
    if (layersError.value !== undefined) return <Failed error={layersError.value} />;
    return (
      <div class={css.sample}>
        <div class={css.layers}>
          <Waiting rows={15} />
        </div>
        <Reading layer={undefined} all={[]} />
      </div>
    );
  }
  const most = Math.max(1, ...shown.map(txsOf));
  const reading = shown.find(({ height }) => height === chosen);

  function move(event: KeyboardEvent): void {
    const at = Math.max(
      0,
      shown.findIndex(({ height }) => height === chosen),
    );
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    const layer = to === undefined ? undefined : shown[Math.min(shown.length - 1, Math.max(0, to))];
    if (layer === undefined) return;
    event.preventDefault();
    setChosen(layer.height);
    list.current?.querySelector<HTMLElement>(`[data-height="${layer.height}"]`)?.focus();
  }

  return (
    <div class={css.sample}>
      <ol
        class={css.layers}
        ref={list}
        onKeyDown={move}
        onMouseLeave={() => setChosen(undefined)}
        aria-label="The newest blocks; arrow keys read them"
      >
        {shown.map((layer, at) => (
          <li key={layer.height} style={{ transform: `translateY(calc(${at} * var(--layer)))` }}>
            <a
              class={css.layer}
              href={`/block/${layer.height}`}
              data-height={layer.height}
              tabIndex={chosen === undefined ? (at === 0 ? 0 : -1) : chosen === layer.height ? 0 : -1}
              aria-label={spoken(layer)}
              onMouseEnter={() => setChosen(layer.height)}
              onFocus={() => setChosen(layer.height)}
              onClick={(event) => {
                event.preventDefault();
                route(`/block/${layer.height}`);
              }}
            >
              {WHATS.map(
                (what) =>
                  layer[what] > 0 && (
                    <span
                      key={what}
                      class={colours[what]}
                      style={{ width: `${(layer[what] / most) * 100}%` }}
                    />
                  ),
              )}
            </a>
          </li>
        ))}
      </ol>
      <Reading layer={reading} all={shown} />
    </div>
  );
}

/** Of the layer that is read; of all together while none is. */
function Reading({ layer, all }: { readonly layer: Layer | undefined; readonly all: readonly Layer[] }) {
  const counts = layer === undefined ? all : [layer];
  const sum = (what: What) => counts.reduce((total, each) => total + each[what], 0);
  return (
    <div class={css.reading}>
      <p class={css.of}>
        {layer === undefined ? (
          <>
            <strong>{all.length === 0 ? 'The last blocks' : `Last ${all.length} blocks`}</strong>
            <span class="soft">point at one to read it</span>
          </>
        ) : (
          <>
            <strong>Block {countText(layer.height)}</strong>
            <span class="soft">
              <Time at={layer.time} />
            </span>
          </>
        )}
      </p>
      <dl class={css.counts}>
        {WHATS.map((what) => (
          <div key={what}>
            <dt>
              <WhatDot what={what} /> <span aria-hidden="true">{WHAT_WORDS[what]}</span>
            </dt>
            <dd>{all.length === 0 ? '…' : countText(sum(what))}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function txsOf(layer: Layer): number {
  return WHATS.reduce((total, what) => total + layer[what], 0);
}

function spoken(layer: Layer): string {
  const parts = WHATS.filter((what) => layer[what] > 0).map((what) => `${layer[what]} ${WHAT_WORDS[what]}`);
  return `Block ${layer.height}: ${parts.length === 0 ? 'no transactions' : parts.join(', ')}`;
}
