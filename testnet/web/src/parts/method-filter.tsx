import { useLocation } from 'preact-iso';
import type { MethodCount } from '../../../../clients/ts/src/client.ts';
import { countText } from '../text/amounts.ts';
import { methodText } from '../text/methods.ts';
import { Select } from './field.tsx';
import css from './method-filter.module.css';
import { withQuery } from './pager.tsx';

/** Keeps one method of the facet, in the URL (`?method=`). One that the facet does not have stays to be taken away. */
export function MethodFilter({ methods }: { readonly methods: readonly MethodCount[] }) {
  const { url, query, route } = useLocation();
  const chosen = query.method ?? '';
  const known = methods.map(({ method, count }) => ({ value: method, text: optionText(method, count) }));
  const isUnknown = chosen !== '' && methods.every(({ method }) => method !== chosen);
  return (
    <div class={css.methods}>
      <Select
        label="Method"
        value={chosen}
        options={[
          { value: '', text: 'All methods' },
          ...(isUnknown ? [{ value: chosen, text: optionText(chosen, 0) }] : []),
          ...known,
        ]}
        onInput={(method) =>
          route(withQuery(url, { method: method === '' ? undefined : method, cursor: undefined }))
        }
      />
    </div>
  );
}

function optionText(method: string, count: number): string {
  const { name, module } = methodText(method);
  return `${name}${module === '' ? '' : `, ${module}`} (${countText(count)})`;
}
