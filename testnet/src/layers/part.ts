import { AppError } from '../errors.ts';
import type { Part } from '../part.ts';
import type { Layers } from './layers.ts';

/** `GET /api/blocks/layers?after=<height>`: the newest blocks by what happened in them, for the overview. */
export function layersPart(layers: Layers): Part {
  return {
    name: 'layers',
    routes(server) {
      server.get('/api/blocks/layers', async (request) => {
        const { after = '0' } = request.query as { readonly after?: unknown };
        if (typeof after !== 'string' || !/^\d{1,15}$/.test(after))
          throw new AppError('bad_request', 'after must be a height: a whole number');
        return { layers: await layers.newest(Number(after)) };
      });
    },
  };
}
