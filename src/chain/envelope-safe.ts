import { bytesToLatin1, latin1ToUtf8 } from 'strata-kit/bytes';
import { StrataError } from 'strata-kit/errors';
import type { BlockText } from './envelope.ts';
import {
  endOfValue,
  findMember,
  isJson,
  JsonSpanError,
  type Span,
  skipBlanks,
  walkArray,
  walkObject,
} from './json-spans.ts';
import { classifyRpcError, readRpcErrorObject } from './rpc/errors.ts';
import type { RawBody } from './source.ts';

/** The way that any JSON layout can be cut: blanks, other key order, reordered ids, ids as strings. */

/** One element of a batch; `id` is undefined when the answer has none that belongs to the request. */
interface Answer {
  readonly id: number | undefined;
  readonly result: Span | undefined;
  readonly error: Span | undefined;
}

/** Blocks of a JSON-RPC body. Errors as splitRange. */
export function splitRpcSafely(body: RawBody): readonly BlockText[] {
  const text = bytesToLatin1(body.bytes);
  const answers = readAnswers(text, body);
  const byId = new Map<number, Answer>();
  for (const answer of answers) {
    if (answer.id === undefined) {
      if (answer.error !== undefined) throw errorOf(text, answer.error, body.fromHeight);
      throw badAnswer('an answer carries no id of the request', body.fromHeight);
    }
    if (byId.has(answer.id)) throw badAnswer(`two answers carry the id ${answer.id}`, body.fromHeight);
    byId.set(answer.id, answer);
  }
  const blocks: BlockText[] = [];
  for (let height = body.fromHeight, id = 0; height <= body.toHeight; height++, id += 2) {
    const block = resultText(text, byId.get(id), height, 'block');
    const results = resultText(text, byId.get(id + 1), height, 'block_results');
    blocks.push(checkHeights({ height, block, results }, badAnswer));
  }
  return blocks;
}

/** Blocks of a capture's lines. Errors: capture_invalid. */
export function splitCaptureSafely(body: RawBody): readonly BlockText[] {
  const text = bytesToLatin1(body.bytes);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const expected = body.toHeight - body.fromHeight + 1;
  if (lines.length !== expected) {
    throw badCapture(`${lines.length} lines stand where ${expected} heights should`, body.fromHeight);
  }
  return lines.map((line, i) => splitLine(line, body.fromHeight + i));
}

function splitLine(line: string, height: number): BlockText {
  const members = new Map<string, Span>();
  guardSpans(() => walkObject(line, 0, (key, value) => members.set(key, value)), height, badCapture);
  const text = (key: string): string => {
    const span = members.get(key);
    if (span === undefined || line[span.start] !== '{')
      throw badCapture(`the line has no object "${key}"`, height);
    return line.slice(span.start, span.end);
  };
  const named = members.get('height');
  if (named === undefined || readInteger(line.slice(named.start, named.end)) !== height) {
    throw badCapture(`the line is not that of height ${height}`, height);
  }
  return checkHeights({ height, block: text('block'), results: text('block_results') }, badCapture);
}

function readAnswers(text: string, body: RawBody): readonly Answer[] {
  const answers: Answer[] = [];
  const readElement = (at: number): number => readAnswer(text, at, body, answers);
  const start = skipBlanks(text, 0);
  const fail = (reason: string, height: number): StrataError =>
    findBrokenBlock(text, body) ?? badAnswer(reason, height);
  const end = guardSpans(
    () => (text[start] === '{' ? readElement(start) : walkArray(text, start, readElement)),
    body.fromHeight,
    fail,
  );
  const last = answers.at(-1)?.result;
  // an answer that was cut, and closed by whoever cut it, is wrong in its last value alone
  if (last !== undefined && !isJson(text.slice(last.start, last.end))) {
    throw fail('the last result is no JSON', body.fromHeight);
  }
  if (skipBlanks(text, end) !== text.length)
    throw badAnswer('more follows after the answer', body.fromHeight);
  return answers;
}

/**
 * Which of several heights a broken answer is broken at, if all others are whole in it. Where it is the last one, the
 * answer may have been cut and closed. Undefined where it was cut short, is of another layout, or holds one height.
 */
function findBrokenBlock(text: string, { fromHeight, toHeight }: RawBody): StrataError | undefined {
  if (fromHeight === toHeight) return undefined;
  let at = 0;
  let broken: number | undefined;
  const calls = 2 * (toHeight - fromHeight + 1);
  for (let id = 0; id < calls; id++) {
    const mark = `{"jsonrpc":"2.0","id":${id},"result":`;
    const start = text.indexOf(mark, at) + mark.length;
    const end =
      id + 1 < calls ? text.indexOf(`},{"jsonrpc":"2.0","id":${id + 1},`, start) : text.lastIndexOf('}]');
    if (start < mark.length || end < start) return undefined;
    if (!isJson(text.slice(start, end))) broken ??= id;
    at = end;
  }
  if (broken === undefined) return undefined;
  const height = fromHeight + Math.floor(broken / 2);
  const method = broken % 2 === 0 ? 'block' : 'block_results';
  const reason = `${method} of height ${height} is no JSON`;
  if (height === toHeight) return badAnswer(reason, height);
  return new StrataError('block_malformed', reason, { height, retryable: true });
}

function readAnswer(text: string, at: number, body: RawBody, answers: Answer[]): number {
  const members = new Map<string, Span>();
  const end = walkObject(text, at, (key, value) => members.set(key, value));
  const idSpan = members.get('id');
  const id = idSpan === undefined ? undefined : readInteger(text.slice(idSpan.start, idSpan.end));
  const calls = 2 * (body.toHeight - body.fromHeight + 1);
  answers.push({
    id: id !== undefined && id >= 0 && id < calls ? id : undefined,
    result: notNull(text, members.get('result')),
    error: notNull(text, members.get('error')),
  });
  return end;
}

function resultText(text: string, answer: Answer | undefined, height: number, method: string): string {
  if (answer === undefined) throw badAnswer(`the answer lacks ${method} of height ${height}`, height);
  if (answer.error !== undefined) throw errorOf(text, answer.error, height);
  if (answer.result === undefined || text[answer.result.start] !== '{') {
    throw badAnswer(`${method} of height ${height} has no result`, height);
  }
  return text.slice(answer.result.start, answer.result.end);
}

interface Texts {
  readonly height: number;
  readonly block: string;
  readonly results: string;
}

/** Both texts must be those of the height that was asked for. */
function checkHeights(block: Texts, fail: (reason: string, height: number) => StrataError): BlockText {
  return guardSpans(
    () => {
      const inner = findMember(block.block, 0, 'block');
      if (inner === undefined || block.block[inner] !== '{') throw fail('the block is null', block.height);
      const header = findMember(block.block, inner, 'header');
      if (header === undefined || block.block[header] !== '{')
        throw fail('the block has no header', block.height);
      const found = readHeight(block.block, header);
      if (found !== block.height) throw fail(`the block is that of height ${found}`, block.height);
      const resultsOf = readHeight(block.results, 0);
      if (resultsOf !== block.height)
        throw fail(`the results are those of height ${resultsOf}`, block.height);
      return { ...block, results: Buffer.from(block.results, 'latin1') };
    },
    block.height,
    fail,
  );
}

function readHeight(text: string, at: number): number | undefined {
  const start = findMember(text, at, 'height');
  return start === undefined ? undefined : readInteger(text.slice(start, endOfValue(text, start)));
}

/** An integer, bare or quoted, as Go and JavaScript print ids and heights; escaped, as others may. */
export function readInteger(value: string): number | undefined {
  const plain = value.includes('\\') && isJson(value) ? String(JSON.parse(value)) : value;
  const match = /^"?(-?\d{1,15})"?$/.exec(plain);
  return match === null ? undefined : Number(match[1]);
}

function notNull(text: string, span: Span | undefined): Span | undefined {
  return span === undefined || text.startsWith('null', span.start) ? undefined : span;
}

function errorOf(text: string, span: Span, height: number): StrataError {
  const value = latin1ToUtf8(text.slice(span.start, span.end));
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    // nesting is right but it is no JSON: its text is all that the node says
    parsed = value.slice(0, 200);
  }
  return classifyRpcError(readRpcErrorObject(parsed), { height });
}

function guardSpans<T>(
  read: () => T,
  height: number,
  fail: (reason: string, height: number) => StrataError,
): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof JsonSpanError) throw fail(`the JSON breaks: ${error.message}`, height);
    throw error;
  }
}

function badAnswer(reason: string, height: number): StrataError {
  return new StrataError('node_bad_answer', reason, { height, retryable: true });
}

function badCapture(reason: string, height: number): StrataError {
  return new StrataError('capture_invalid', `height ${height}: ${reason}`, { height });
}
