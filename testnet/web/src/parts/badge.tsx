import type { ComponentChildren } from 'preact';
import { WHAT_WORDS, type What } from '../../../src/what.ts';
import css from './badge.module.css';
import colours from './what.module.css';

export type Tone = 'plain' | 'good' | 'warn' | 'bad';

const SHAPES: Readonly<Record<Tone, string>> = { plain: '○', good: '●', warn: '▲', bad: '■' };

/** A status: a word and a shape, so that colour is never all there is. */
export function Badge({
  tone = 'plain',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}) {
  return (
    <span class={`${css.badge} ${css[tone]}`}>
      <span aria-hidden="true">{SHAPES[tone]}</span>
      <span class={css.word}>{children}</span>
    </span>
  );
}

/** The small square that says in its colour what happened; its word is for those who do not see it. */
export function WhatDot({ what }: { readonly what: What }) {
  return (
    <span class={`${css.dot} ${colours[what]}`} title={WHAT_WORDS[what]}>
      <span class="visually-hidden">{WHAT_WORDS[what]}</span>
    </span>
  );
}
