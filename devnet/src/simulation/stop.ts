/** Why a simulation has no result. */
export type StopReason =
  | 'busy'
  | 'no_thread'
  | 'timeout'
  | 'cancelled'
  | 'forgotten'
  | 'too_many_reads'
  | 'failed';

const TEXTS: Readonly<Record<StopReason, string>> = {
  busy: 'too many simulations wait, try again later',
  no_thread: 'no simulation can be started now, try again later',
  timeout: 'the simulation took too long and was stopped',
  cancelled: 'the client closed the connection',
  forgotten: 'the state of this height is not kept any more',
  too_many_reads: 'the simulation read too much of the state',
  failed: 'the simulation failed by a defect of the chain',
};

/** A simulation ended without a result; `message` may be shown to a client. */
export class SimulationStop extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason, options?: ErrorOptions) {
    super(TEXTS[reason], options);
    this.name = 'SimulationStop';
    this.reason = reason;
  }
}
