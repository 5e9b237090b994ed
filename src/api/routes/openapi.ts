import type { Route } from '../route.ts';

/** The OpenAPI 3.0.3 description of the API. */
export const openapiRoute: Route = {
  path: '/openapi.yaml',
  query: [],
  cache: 'process',
  handle: (_request, context) => ({ parts: [context.openapi], contentType: 'application/yaml' }),
};
