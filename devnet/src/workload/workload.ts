import { bytesToHex } from 'strata-kit/bytes';
import { sha256 } from 'strata-kit/hash';
import type { ChainParameters } from '../app/parameters.ts';
import type { Block } from '../comet/types.ts';
import { account as chainAccount } from '../modules/auth/keeper.ts';
import type { Account } from './accounts.ts';
import type { EvmContracts } from './evm-contracts.ts';
import { createTxMaker, type MessageEncoder, type Standing } from './make-tx.ts';
import { createRandom, type Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios/all.ts';
import { RARE } from './scenarios/rare/all.ts';
import { type ChainView, createStage, createWorld, type Stage, type World } from './stage.ts';
import { NotNow, type Outcome, type Step, type Steps, Surprise, type TxPlan } from './step.ts';

/**
 * What the chain's accounts do, by seed: scenarios that run side by side, each yielding the next tx to sign from what it
 * reads of the state, and told what became of it. Those that have not been played come first, then weights decide. The
 * same seed over the same chain gives the same txs on every machine.
 *
 * There are two catalogues. The usual one works from the first block on. The rare one joins at a height and draws from a
 * random source of its own. So a scenario that is added to the rare catalogue leaves the blocks below that height as they
 * are, and with them every test and recording that knows them by seed.
 */

export interface WorkloadOptions {
  readonly seed: string;
  readonly parameters: ChainParameters;
  readonly encoder: MessageEncoder;
  /** Without them the EVM is left alone. */
  readonly contracts: EvmContracts | undefined;
  /** Where it begins: a chain that goes on gets other txs than those it has. */
  readonly view: ChainView;
  readonly scenarios?: readonly Scenario[];
  readonly rare?: readonly Scenario[];
  /** The first block that may hold txs of rare scenarios; RARE_FROM unless given. */
  readonly rareFrom?: number | undefined;
}

/** Above all heights that tests and recordings know by seed: the reference chain of the tests has 178, and goes on a little. */
export const RARE_FROM = 400;

export interface Workload {
  /** The txs of the next block, at most `room`, in the order in which they must stand there. */
  plan(view: ChainView, room: number): Uint8Array[];
  /** Tells what became of them; txs of others are passed over. The view is of this block. */
  observe(block: Pick<Block, 'txs' | 'results'>, view: ChainView): void;
  /** What did not go as its scenario meant it, the last hundred: none on a sound chain. */
  surprises(): readonly string[];
  /** Scenarios that have been played to their end, by name. */
  played(): ReadonlyMap<string, number>;
}

/** Scenarios with their own random source. */
interface Catalogue {
  readonly scenarios: readonly Scenario[];
  readonly weights: readonly number[];
  readonly random: Random;
  /** Those that have not been played yet, with the tries that are left. */
  readonly unplayed: Map<Scenario, number>;
}

interface Run {
  readonly catalogue: Catalogue;
  readonly scenario: Scenario;
  readonly steps: Steps;
  readonly stage: Stage;
  step: Step;
  /** Hashes of the txs in flight, in the step's order; none before they are signed. */
  hashes: readonly string[];
  outcomes: (Outcome | undefined)[];
}

const KEPT_SURPRISES = 100;
/** Scenarios in hand for each tx of a block: some wait, and a step may have several txs. */
const RUNS_PER_TX = 3;
const LEAST_RUNS = 12;
/** Draws that find what they need missing, before a block is left as it is. */
const DRAWS_PER_TX = 12;
/** A scenario that fails that often is no longer put before the others. */
const FIRST_TRIES = 3;
const STEPS_KEPT = 16;
/** Rare scenarios in hand at the same time, and blocks to each that begins by weight. */
const RARE_RUNS = 6;
const RARE_EVERY = 8;

export function createWorkload(options: WorkloadOptions): Workload {
  const { parameters, seed } = options;
  const random = createRandom(`workload/${seed}/${options.view.height}`);
  const world = createWorld(parameters, seed, random, options.contracts, options.view);
  const usual = createCatalogue(options.scenarios ?? SCENARIOS, random);
  const rare = createCatalogue(
    options.rare ?? (options.scenarios === undefined ? RARE : []),
    createRandom(`workload/${seed}/${options.view.height}/rare`),
  );
  const rareFrom = options.rareFrom ?? RARE_FROM;
  const makeTx = createTxMaker(parameters, options.encoder);
  const played = new Map<string, number>();
  const surprises: string[] = [];
  const blockSteps: number[] = [];
  let runs: Run[] = [];

  function end(run: Run): void {
    run.stage.leave();
    runs = runs.filter((each) => each !== run);
  }

  /** Runs a scenario up to its next step. */
  function advance(run: Run, outcomes: readonly Outcome[]): void {
    try {
      const next = run.steps.next(outcomes);
      if (next.done !== true) {
        run.step = next.value;
        run.hashes = [];
        run.outcomes = [];
        return;
      }
      played.set(run.scenario.name, (played.get(run.scenario.name) ?? 0) + 1);
      run.catalogue.unplayed.delete(run.scenario);
    } catch (error) {
      if (error instanceof Surprise) {
        surprises.push(`height ${world.view.height}, ${run.scenario.name}: ${error.message}`);
        if (surprises.length > KEPT_SURPRISES) surprises.shift();
        const { unplayed } = run.catalogue;
        const tries = unplayed.get(run.scenario) ?? 1;
        if (tries > 1) unplayed.set(run.scenario, tries - 1);
        else unplayed.delete(run.scenario);
      } else if (!(error instanceof NotNow)) throw error;
    }
    end(run);
  }

  /** A scenario's first step; undefined when it does not begin. */
  function begin(catalogue: Catalogue, scenario: Scenario): Run | undefined {
    const stage = createStage(world, catalogue.random);
    const steps = scenario.play(stage);
    const run: Run = {
      catalogue,
      scenario,
      steps,
      stage,
      step: { kind: 'until', timeNs: 0n },
      hashes: [],
      outcomes: [],
    };
    runs.push(run);
    advance(run, []);
    return runs.at(-1) === run ? run : undefined;
  }

  const unplayedOf = ({ unplayed }: Catalogue): Scenario[] =>
    [...unplayed.keys()].filter((each) => !runs.some(({ scenario }) => scenario === each));
  const byWeight = ({ scenarios, weights, random }: Catalogue): Scenario | undefined =>
    weights.some((weight) => weight > 0) ? scenarios[random.weighted(weights)] : undefined;

  function draw(): Scenario | undefined {
    const first = unplayedOf(usual);
    return first.length > 0 && !random.oneIn(4) ? random.pick(first) : byWeight(usual);
  }

  /** One that has not been played, and now and then one by weight: most of a block is left to the usual ones. */
  function drawRare(height: number): readonly Scenario[] {
    if (height < rareFrom || runs.filter(({ catalogue }) => catalogue === rare).length >= RARE_RUNS)
      return [];
    const first = unplayedOf(rare);
    const again = rare.random.oneIn(RARE_EVERY) ? byWeight(rare) : undefined;
    return [
      ...(first.length === 0 ? [] : [rare.random.pick(first)]),
      ...(again === undefined ? [] : [again]),
    ];
  }

  function plan(view: ChainView, room: number): Uint8Array[] {
    world.view = view;
    const txs: Uint8Array[] = [];
    const place = createPlacer(world, makeTx, txs);
    const put = (run: Run): void => {
      if (run.step.kind !== 'send' || run.hashes.length > 0) return;
      // a step that is longer than any block's room still has its turn
      if (txs.length > 0 && txs.length + run.step.txs.length > room) return;
      run.hashes = run.step.txs.map(place);
      run.outcomes = run.hashes.map(() => undefined);
    };
    for (const run of [...runs]) {
      if (run.step.kind === 'until' && run.step.timeNs <= view.timeNs) advance(run, []);
    }
    for (const run of runs) if (txs.length < room) put(run);
    for (const scenario of drawRare(view.height + 1)) {
      const run = begin(rare, scenario);
      if (run !== undefined && txs.length < room) put(run);
    }
    const mostRuns = LEAST_RUNS + RUNS_PER_TX * room;
    for (let i = 0; i < DRAWS_PER_TX * room && txs.length < room && runs.length < mostRuns; i++) {
      const scenario = draw();
      const run = scenario === undefined ? undefined : begin(usual, scenario);
      if (run !== undefined) put(run);
    }
    return txs;
  }

  function observe({ txs, results }: Pick<Block, 'txs' | 'results'>, view: ChainView): void {
    rememberStep(world, view, blockSteps);
    const waiting = new Map<string, readonly [Run, number]>();
    for (const run of runs) run.hashes.forEach((hash, i) => void waiting.set(hash, [run, i]));
    txs.forEach((tx, i) => {
      const result = results[i];
      const found = waiting.get(hashOf(tx));
      if (found === undefined || result === undefined) return;
      const { code, codespace, log, events } = result;
      found[0].outcomes[found[1]] = { height: view.height, code, codespace, log, events };
    });
    for (const run of [...runs]) {
      if (run.hashes.length === 0) continue;
      const outcomes = run.outcomes.filter((outcome) => outcome !== undefined);
      // what a mempool dropped never comes
      if (outcomes.length < run.hashes.length) end(run);
      else advance(run, outcomes);
    }
  }

  return { plan, observe, surprises: () => surprises, played: () => played };
}

function createCatalogue(scenarios: readonly Scenario[], random: Random): Catalogue {
  return {
    scenarios,
    weights: scenarios.map(({ weight }) => weight),
    random,
    unplayed: new Map(random.shuffle(scenarios).map((each) => [each, FIRST_TRIES])),
  };
}

/** Signs txs with the sequences that their accounts will have when it is their turn in the block. */
function createPlacer(
  world: World,
  makeTx: ReturnType<typeof createTxMaker>,
  txs: Uint8Array[],
): (plan: TxPlan) => string {
  const ahead = new Map<Account, bigint>();
  const standingOf = (account: Account): Standing => {
    const known = chainAccount(world.view.reader, account.address);
    return {
      number: known?.number ?? 0n,
      sequence: (known?.sequence ?? 0n) + (ahead.get(account) ?? 0n),
    };
  };
  return (plan) => {
    const tx = makeTx(plan, standingOf);
    txs.push(tx);
    for (const account of countedSenders(plan)) ahead.set(account, (ahead.get(account) ?? 0n) + 1n);
    return hashOf(tx);
  };
}

/** Whose sequences the tx raises by one, each. What fails before its messages run leaves them as they are. */
function countedSenders(plan: TxPlan): readonly Account[] {
  if (plan.kind === 'cosmos') return plan.fault === undefined ? plan.signers : [];
  const plans = plan.kind === 'ethereum' ? [plan] : plan.txs;
  return plans.some(({ nonceOffset = 0n }) => nonceOffset !== 0n) ? [] : plans.map(({ from }) => from);
}

function rememberStep(world: World, view: ChainView, blockSteps: number[]): void {
  const stepNs = view.timeNs - world.view.timeNs;
  world.view = view;
  if (view.height <= 1) return;
  blockSteps.push(Number(stepNs));
  if (blockSteps.length > STEPS_KEPT) blockSteps.shift();
  world.blockStepNs = BigInt(Math.min(...blockSteps));
}

function hashOf(tx: Uint8Array): string {
  return bytesToHex(sha256(tx));
}
