import { changeOf } from '../../text/markets.ts';
import css from './market.module.css';

/** A change with its sign, and a colour for those who see it. */
export function ChangeText({ bps }: { readonly bps: string }) {
  const { text, way } = changeOf(bps);
  return <span class={`${css.change} ${css[way]}`}>{text}</span>;
}
