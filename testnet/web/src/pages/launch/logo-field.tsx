import { base64 } from '@scure/base';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import field from '../../parts/field.module.css';
import { useOwnId } from '../../parts/own-id.ts';
import { logoError, logoSizeError } from './document.ts';
import { change, draft } from './draft.ts';
import css from './launch.module.css';

/** A PNG of this device, with its picture before it is sent anywhere. */
export function LogoField({ refused }: { readonly refused?: string }) {
  const id = useOwnId();
  const [error, setError] = useState<string | undefined>();
  const { logo } = draft.value;
  const url = useBlobUrl(logo);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const tooLarge = logoSizeError(file.size);
    const bytes = tooLarge === undefined ? await bytesOf(file) : undefined;
    const wrong = tooLarge ?? (bytes === undefined ? 'This file cannot be read.' : logoError(bytes));
    setError(wrong);
    change({ logo: wrong === undefined && bytes !== undefined ? base64.encode(bytes) : undefined });
  };
  return (
    <div class={`${field.field} ${css.logo}`}>
      <label for={id}>Logo</label>
      <div class={css.picture}>
        {url === undefined ? (
          <span class="soft">No picture</span>
        ) : (
          <img
            src={url}
            alt="The logo as it will be shown"
            onError={() => setError('This PNG cannot be shown.')}
          />
        )}
      </div>
      <input
        id={id}
        type="file"
        accept="image/png"
        aria-describedby={`${id}-about`}
        onChange={(event) => void take((event.currentTarget as HTMLInputElement).files?.[0])}
      />
      <p id={`${id}-about`} class={error === undefined && refused === undefined ? field.hint : field.error}>
        {error ?? refused ?? 'Optional: a PNG of at most 256 KiB and 1024 × 1024 pixels.'}
      </p>
      {logo !== undefined && <Button onClick={() => change({ logo: undefined })}>Take the logo away</Button>}
    </div>
  );
}

/** Undefined where it was moved or changed since it was chosen, or may not be read. */
async function bytesOf(file: File): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

function useBlobUrl(logo: string | undefined): string | undefined {
  const [url, setUrl] = useState<string | undefined>();
  useEffect(() => {
    if (logo === undefined) {
      setUrl(undefined);
      return;
    }
    const made = URL.createObjectURL(
      new Blob([base64.decode(logo) as Uint8Array<ArrayBuffer>], { type: 'image/png' }),
    );
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [logo]);
  return url;
}
