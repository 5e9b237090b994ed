import { type Clock, systemClock } from '../../clock.ts';
import type { Exchange } from '../../http/json-server.ts';
import { answerHttp, type RpcAnswer, type RpcRequest } from '../calls.ts';
import type { RpcChain, RpcNode } from '../node.ts';
import { behindGateway, FAR_MS, refusalAtGateway, throughGateway } from './gateway.ts';
import { reprint } from './layout.ts';
import type { FaultChances, FaultName } from './names.ts';
import { createFaultSchedule, type Dice } from './schedule.ts';

/** Answers like a node that does what `chances` say. */
export interface FaultLayer {
  /** Undefined: the connection is to be dropped without an answer. */
  answer(node: RpcNode, request: RpcRequest, exchange: Exchange): Promise<RpcAnswer | undefined>;
}

/** One of the request's calls. */
export interface Call {
  readonly method: string;
}

/** The chain as one request is to see it, and whether the node says that it is of another chain. */
export interface ChainView {
  readonly chain: RpcChain;
  readonly isForeign: boolean;
}

/** Lies about the chain: which blocks there are and what is in them. */
export type Viewer = (dice: Dice, calls: readonly Call[], nthStatus: number) => ChainView;

export interface FaultOptions {
  readonly chances: FaultChances;
  /** The same number, the same faults. */
  readonly seed: number;
  readonly clock?: Clock;
  /** Each fault that happens, for tests and logs. */
  readonly onFault?: (name: FaultName, request: RpcRequest) => void;
}

const MAX_DELAY_MS = 300;
const KEPT_ANSWERS = 8;
const JSON_TYPE = 'application/json';

/** `viewer` makes the faults that need a chain of their own; `run` is decided for the whole run. */
export function createFaultLayer(options: FaultOptions, viewer: (run: Dice) => Viewer): FaultLayer {
  const { chances, seed, clock = systemClock, onFault = () => {} } = options;
  const schedule = createFaultSchedule(seed);
  const view = viewer(schedule.run);
  const kept: { readonly key: string; readonly answer: RpcAnswer }[] = [];
  let statuses = 0;

  function keep(key: string, answer: RpcAnswer): void {
    if (kept.some((earlier) => earlier.key === key)) return;
    kept.push({ key, answer });
    if (kept.length > KEPT_ANSWERS) kept.shift();
  }

  return {
    async answer(node, request, exchange) {
      const key = identityOf(request);
      const dice = schedule.begin(key);
      const hits = (name: FaultName): boolean => {
        const chance = chances.get(name);
        if (chance === undefined || dice.share(name) >= chance) return false;
        onFault(name, request);
        return true;
      };
      for (const ms of FAR_MS) if (hits(`far-${ms}`)) await clock.sleep(ms);
      const refusal = refusalAtGateway(request, hits);
      if (refusal !== undefined) return refusal;
      if (hits('delay')) await clock.sleep(dice.share('delay length') * MAX_DELAY_MS);
      if (hits('drop')) return undefined;
      if (hits('throttle')) return throttled(dice);
      if (hits('error')) return refused();
      const calls = callsOf(request);
      if (calls.some(({ method }) => method === 'status')) statuses++;
      const seen = view(dice, calls, statuses);
      for (const name of CONTENT_FAULTS) hits(name);
      const right = await answerHttp({ ...node, chain: seen.chain }, behindGateway(request), exchange);
      let answer = seen.isForeign || hits('foreign') ? changed(right, toForeign) : right;
      const earlier = kept.filter((one) => one.key !== key);
      keep(key, right);
      if (earlier.length > 0 && hits('repeat')) {
        return earlier[dice.pick('earlier', earlier.length)]?.answer ?? answer;
      }
      if (hits('layout')) answer = changed(answer, (text) => reprint(text, dice));
      return hits('cut') ? cut(answer, dice) : throughGateway(answer, request, hits);
    },
  };
}

/** What the view does, reported once a request. */
const CONTENT_FAULTS = [
  'wrong-height',
  'swap-results',
  'tamper',
  'lag',
  'halt',
  'chain-id',
  'fork',
] as const satisfies readonly FaultName[];

/** What is asked, whatever the ids of the calls: those count on with the time. */
function identityOf({ method, url, body }: RpcRequest): string {
  return `${method} ${url} ${body?.replaceAll(/"id"\s*:\s*\d+,?/g, '') ?? ''}`;
}

function callsOf({ body, url }: RpcRequest): readonly Call[] {
  if (body === undefined || body === '') return [{ method: new URL(url, 'http://node').pathname.slice(1) }];
  return [...body.matchAll(/"method"\s*:\s*"(\w+)"/g)].map(([, method = '']) => ({ method }));
}

function throttled(dice: Dice): RpcAnswer {
  const headers = dice.share('retry-after') < 0.5 ? { 'retry-after': '1' } : {};
  return { status: 429, contentType: 'text/plain', parts: [Buffer.from('too many requests\n')], headers };
}

function refused(): RpcAnswer {
  const text =
    '{"jsonrpc":"2.0","id":-1,"error":{"code":-32603,"message":"Internal error","data":"a fault"}}';
  return { status: 500, contentType: JSON_TYPE, parts: [Buffer.from(text)] };
}

const toForeign = (text: string): string => text.replace(/("network":")[^"]*/, '$1other-1');

/** Cut by a proxy, with the length of what is left, or by a connection that breaks. */
function cut(answer: RpcAnswer, dice: Dice): RpcAnswer {
  const body = Buffer.concat(answer.parts);
  const length = Math.floor(body.length * dice.share('cut at'));
  const isBroken = dice.share('cut how') < 0.5;
  return isBroken
    ? { ...answer, parts: [body], breakAfterBytes: length }
    : { ...answer, parts: [body.subarray(0, length)] };
}

function changed(answer: RpcAnswer, change: (latin1: string) => string): RpcAnswer {
  const by = (parts: readonly Uint8Array[]) => [
    Buffer.from(change(Buffer.concat(parts).toString('latin1')), 'latin1'),
  ];
  const { parts, first } = answer;
  return { ...answer, parts: by(parts), ...(first === undefined ? {} : { first: by(first) }) };
}
