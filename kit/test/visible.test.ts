import { describe, expect, it } from 'vitest';
import { createLiveLine } from '../src/cli/live-line.ts';
import { createLogger } from '../src/cli/logging.ts';
import { visible } from '../src/cli/visible.ts';

/** Clears the screen, sets the title, C1's CSI, and turns the direction of what follows. */
const HOSTILE = 'bad\x1b[2J\x1b]0;owned\x07\x9b31m\u202etxt\r';
const SHOWN = 'bad\\u001b[2J\\u001b]0;owned\\u0007\\u009b31m\\u202etxt\\u000d';

describe('terminal escapes in a text from outside', () => {
  it('are made visible', () => {
    expect(visible(HOSTILE)).toBe(SHOWN);
    expect(visible('a\tb\nc é 漢 🙂')).toBe('a\tb\nc é 漢 🙂');
    const json = JSON.stringify({ log: HOSTILE }, null, 2);
    expect(JSON.parse(visible(json))).toEqual({ log: HOSTILE });
  });

  it.each(['pretty', 'json'] as const)('do not reach the terminal by a %s log line', (format) => {
    let written = '';
    const log = createLogger({ format, level: 'info', colors: false, write: (text) => (written += text) });
    log.warn({ err: new Error(HOSTILE), node: { moniker: HOSTILE } }, `a node says ${HOSTILE}\nforged line`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
    expect(written).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(written).toContain('u001b[2J');
    expect(written).not.toMatch(/^forged line/m);
  });

  it('do not reach the terminal by the progress line', () => {
    let written = '';
    const line = createLiveLine({ isTTY: true, columns: 80, write: (text) => (written += text) });
    line?.set(`asking ${HOSTILE}`);
    expect(written).toBe(`\r\x1b[Kasking ${SHOWN}`);
  });
});
