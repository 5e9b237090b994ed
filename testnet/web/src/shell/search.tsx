import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { told, v1 } from '../data/client.ts';
import { asAskError } from '../data/errors.ts';
import { useOwnId } from '../parts/own-id.ts';
import { candidateOf, type Found } from './found.ts';
import css from './search.module.css';

/** One box for heights, hashes, addresses, assets and ids, on `/v1/lookup`. A single find is opened, several are shown. */
export function Search() {
  const { route, path } = useLocation();
  const id = useOwnId();
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Found[]>([]);
  const [said, setSaid] = useState('');

  useEffect(() => {
    if (path !== '') close();
  }, [path]);

  function close(): void {
    setFound([]);
    setSaid('');
  }

  function open(href: string): void {
    setText('');
    close();
    route(href);
  }

  async function look(): Promise<void> {
    const q = text.trim();
    if (q === '') return;
    setSaid('Looking…');
    setFound([]);
    try {
      const { candidates } = await told(v1.GET('/v1/lookup/{q}', { params: { path: { q } } }));
      const hits = candidates.map(candidateOf);
      const [only] = hits;
      if (only !== undefined && hits.length === 1) open(only.href);
      else {
        setFound(hits);
        setSaid(hits.length === 0 ? 'Nothing of that kind has been indexed.' : '');
      }
    } catch (error) {
      const { status, message } = asAskError(error);
      setSaid(
        status === 404
          ? 'That is no height, hash, address or id. Addresses are checked: look for a wrong letter. Names are not searched, since anybody may take one: look for them among the assets.'
          : `The indexer cannot look now: ${message}`,
      );
    }
  }

  return (
    <search class={css.search}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void look();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          close();
          form.current?.querySelector('input')?.blur();
        }}
      >
        <label class="visually-hidden" for={id}>
          Block, transaction, account, asset
        </label>
        <input
          id={id}
          data-search
          value={text}
          placeholder="Block, transaction, account, asset"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <kbd>/</kbd>
      </form>
      <div class={found.length > 0 || said !== '' ? css.found : css.none} role="status">
        {said !== '' && <p>{said}</p>}
        {found.map(({ href, kind, text: name }) => (
          <a key={href} href={href} onClick={close}>
            <span class="soft">{kind}</span> <span class="mono">{name}</span>
          </a>
        ))}
      </div>
    </search>
  );
}
