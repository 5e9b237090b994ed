import type { EventRows, HeightEvents } from './event-rows.ts';
import { Literal } from './literal.ts';
import type { BlockResults, TxResult } from './results.ts';
import { CLOSE_BRACE, DEVIATION, ScanSource } from './scan-source.ts';

/**
 * Reads block_results in the compact layout that CometBFT 0.38 prints, in one walk over its bytes and without
 * JSON.parse. Events are printed, and their rows appended, while they are read.
 *
 * One scanner a decoder: its buffers are reused, and what it returned is gone when it reads the next block.
 */
export interface ResultsScanner {
  /**
   * Undefined at the first deviation from the layout: results-parse.ts prints such a block in it first. Rows of events
   * read so far have been appended then: the caller drops them.
   */
  scan(bytes: Uint8Array, rows: EventRows, height: HeightEvents): BlockResults | undefined;
}

export function createResultsScanner(): ResultsScanner {
  const source = new ScanSource();
  return {
    scan(bytes, rows, height) {
      try {
        source.load(bytes);
        return readResults(source, rows, height);
      } catch (error) {
        if (error === DEVIATION) return undefined;
        throw error;
      }
    },
  };
}

const COMMA = 44;
const HEIGHT = new Literal('{"height":"');
const TXS_RESULTS = new Literal(',"txs_results":');
const BLOCK_EVENTS = new Literal(',"finalize_block_events":');
const CODE = new Literal('{"code":');
const DATA = new Literal(',"data":');
const LOG = new Literal(',"log":"');
const INFO = new Literal(',"info":"');
const GAS_WANTED = new Literal(',"gas_wanted":"');
const GAS_USED = new Literal(',"gas_used":"');
const EVENTS = new Literal(',"events":');
const CODESPACE = new Literal(',"codespace":"');

function readResults(source: ScanSource, rows: EventRows, height: HeightEvents): BlockResults {
  rows.startHeight(height);
  source.expect(HEIGHT);
  source.skipString();
  source.expect(TXS_RESULTS);
  const txResults: TxResult[] = [];
  if (source.openList()) {
    do txResults.push(readTxResult(source, rows, txResults.length));
    while (source.nextItem());
  }
  source.expect(BLOCK_EVENTS);
  const blockEvents = rows.readList(source, -1, 0);
  const next = source.bytes[source.at];
  if (next !== COMMA && next !== CLOSE_BRACE) throw DEVIATION;
  const eventCount = txResults.reduce((sum, { events }) => sum + events.count, blockEvents.count);
  return { text: rows.text, txResults, blockEvents, eventCount };
}

function readTxResult(source: ScanSource, rows: EventRows, txIndex: number): TxResult {
  source.expect(CODE);
  const code = source.uint32();
  source.expect(DATA);
  const data = source.nullableString();
  source.expect(LOG);
  const log = source.string();
  source.expect(INFO);
  source.skipString();
  source.expect(GAS_WANTED);
  const gasWanted = source.integerText();
  source.expect(GAS_USED);
  const gasUsed = source.integerText();
  source.expect(EVENTS);
  const events = rows.readList(source, txIndex, code);
  source.expect(CODESPACE);
  const codespace = source.string();
  source.byte(CLOSE_BRACE);
  return { code, data, log, gasWanted, gasUsed, codespace, events };
}
