import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { clientKey } from 'strata-kit/client-key';
import { listeningError } from 'strata-kit/http/listener';
import type { ListenAddress } from 'strata-kit/listen-address';
import { hostInUrl } from 'strata-kit/url';
import { createClientErrors } from './client-error.ts';
import { createErrorAnswers } from './error-answer.ts';
import { AppError } from './errors.ts';
import { PUBLIC_HEADERS, USUAL_HEADERS } from './headers.ts';
import { createHostCheck, type Hosts } from './hosts.ts';
import { CONNECTIONS, type Connections, createServers } from './listener.ts';
import type { Pages } from './pages.ts';
import type { Part } from './part.ts';
import { type Forward, isDescription, isForwarded } from './proxy.ts';

export interface ServerOptions {
  readonly log: Logger;
  /** Proxies before the app whose X-Forwarded-For is believed. */
  readonly trustedProxies: number;
  /** Undefined: nothing is forwarded to an indexer. */
  readonly forward?: Forward | undefined;
  /** Undefined: there are none. */
  readonly pages?: Pages | undefined;
  /** CONNECTIONS. */
  readonly connections?: Connections;
  /** Undefined: every Host is answered. */
  readonly hosts?: Hosts | undefined;
}

/** Of a request's body; parts say where more may come (`bodyLimit` of a route). */
const BODY_BYTES = 64 * 1024;
/** How long requests that are being answered may hold the end up. */
const CLOSE_MS = 2_000;

/** The parts as one server, which does not listen yet. */
export async function createApp(parts: readonly Part[], options: ServerOptions): Promise<FastifyInstance> {
  const { log, trustedProxies, forward, pages, hosts, connections = CONNECTIONS } = options;
  const answerOf = createErrorAnswers(log);
  const checkHost = hosts === undefined ? undefined : createHostCheck(hosts, trustedProxies, log);
  const server = Fastify({
    bodyLimit: BODY_BYTES,
    serverFactory: createServers(connections, trustedProxies, log),
    forceCloseConnections: 'idle',
    trustProxy: (_address: string, hop: number) => hop < trustedProxies,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    clientErrorHandler: createClientErrors(USUAL_HEADERS),
    // a path with broken escapes, which no route sees
    frameworkErrors: (error, request, reply: FastifyReply) => {
      const answer = (error: unknown): void => {
        const { status, body } = answerOf(error, request.method);
        reply.code(status).headers(USUAL_HEADERS).send(body);
      };
      try {
        checkHost?.(request.raw.headers);
        if (!passOn(request, reply)) answer(error);
      } catch (refusal) {
        answer(refusal);
      }
    },
  });
  /** Before anything is read of the request, so that it leaves as it came. */
  function passOn({ raw, ip }: FastifyRequest, reply: FastifyReply): boolean {
    const target = raw.url ?? '';
    if (forward === undefined || !isForwarded(target)) return false;
    reply.hijack();
    const headers = isDescription(target) ? PUBLIC_HEADERS : USUAL_HEADERS;
    forward.forward(raw, reply.raw, headers, clientKey(ip));
    return true;
  }
  server.addHook('onRequest', async (request, reply) => {
    checkHost?.(request.raw.headers);
    passOn(request, reply);
  });
  server.addHook('onClose', async () => forward?.close());
  server.addHook('onSend', async ({ routeOptions }, reply) => {
    reply.headers(routeOptions.config.headers ?? USUAL_HEADERS);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const { status, headers, body } = answerOf(error, `${request.method} ${request.url}`);
    reply.code(status).headers(headers).send(body);
  });
  server.setNotFoundHandler((request, reply) => {
    if (pages === undefined) throw new AppError('not_found', 'there is nothing at this path');
    return pages.notFound(request, reply);
  });
  const allowed = watchMethods(server);
  for (const part of parts) await server.register(async (scope) => part.routes(scope));
  if (pages !== undefined) await server.register(async (scope) => pages.routes(scope));
  refuseOtherMethods(server, allowed);
  return server;
}

/** Listens; the URL that it answers at. Errors: port_in_use. */
export async function listenApp(server: FastifyInstance, { host, port }: ListenAddress): Promise<string> {
  await server.listen({ host, port }).catch((error: unknown) => {
    throw listeningError(error);
  });
  const bound = server.server.address();
  return `http://${hostInUrl(host, typeof bound === 'object' && bound !== null ? bound.port : port)}`;
}

/** Takes no more requests, and ends when those that are being answered are. */
export async function closeApp(server: FastifyInstance): Promise<void> {
  const forced = setTimeout(() => server.server.closeAllConnections(), CLOSE_MS);
  try {
    await server.close();
  } finally {
    clearTimeout(forced);
  }
}

/** The methods of each path, as routes are added. */
function watchMethods(server: FastifyInstance): ReadonlyMap<string, Set<string>> {
  const allowed = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    const methods = allowed.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    allowed.set(url, methods);
  });
  return allowed;
}

/** Every other method of a path that has a route is refused before its body is read. */
function refuseOtherMethods(server: FastifyInstance, allowed: ReadonlyMap<string, Set<string>>): void {
  for (const [url, methods] of [...allowed]) {
    const allow = [...methods].join(', ');
    const others = server.supportedMethods.filter((method) => !methods.has(method));
    if (others.length === 0) continue;
    const refuse = () => {
      throw new AppError('method_not_allowed', `this path takes ${allow}`);
    };
    server.route({
      method: others,
      url,
      exposeHeadRoute: false,
      onRequest: async (_request, reply) => {
        reply.header('allow', allow);
        refuse();
      },
      handler: refuse,
    });
  }
}
