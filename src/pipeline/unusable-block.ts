import { StrataError } from 'strata-kit/errors';
import type { BlockHeader } from '../decode/range.ts';

/** Every node gives a block that cannot be used, however often it is asked. */
export class UnusableBlock extends StrataError {
  /** `header`: its header, where that can be read; then it may be kept (--accept-bad-blocks). */
  constructor(height: number, reason: string, nodes: readonly string[], header: BlockHeader | undefined) {
    const goOn =
      header === undefined
        ? 'Its header cannot be used either, so that it cannot be kept'
        : `--accept-bad-blocks ${height} keeps it with what can be read`;
    super(
      'block_unusable',
      `block ${height} cannot be used as ${nodes.join(', ')} ${nodes.length === 1 ? 'gives' : 'give'} it: ${reason}. ` +
        `The store holds what comes before it. ${goOn}`,
      { height },
    );
    this.unusableHeight = height;
    this.header = header;
  }

  readonly unusableHeight: number;
  readonly header: BlockHeader | undefined;
}
