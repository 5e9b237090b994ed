import { visibleText } from '../text/visible.ts';
import css from './chain-text.module.css';

/** Text that anybody may have written to the chain or the launchpad: shown as it is, and unable to disturb what stands around it. */
export function ChainText({ text }: { readonly text: string }) {
  return <bdi class={css.text}>{visibleText(text)}</bdi>;
}
