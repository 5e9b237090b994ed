import type { FastifyInstance } from 'fastify';

/** One part of the app: its routes, and what it does by itself. */
export interface Part {
  readonly name: string;
  /** Under the app's error handler, body limits and headers; each route is described in `testnet/app-openapi.yaml`. */
  routes(server: FastifyInstance): void;
  /** Until the signal aborts; it fails only for a defect, which ends the app. Left out: nothing. */
  run?(signal: AbortSignal): Promise<void>;
}
