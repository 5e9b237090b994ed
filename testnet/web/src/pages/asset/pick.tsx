import { useLocation } from 'preact-iso';
import { Choice } from '../../parts/button.tsx';
import { Select } from '../../parts/field.tsx';

const MOST_LINKS = 8;

/** A choice that the URL holds: links side by side, or a menu where they are too many. None of a single option. */
export function Pick({
  label,
  options,
}: {
  readonly label: string;
  readonly options: readonly { readonly text: string; readonly href: string; readonly isOn: boolean }[];
}) {
  const { route } = useLocation();
  if (options.length < 2) return null;
  if (options.length <= MOST_LINKS) return <Choice label={label} options={options} />;
  return (
    <Select
      label={label}
      value={options.find(({ isOn }) => isOn)?.href ?? ''}
      options={options.map(({ text, href }) => ({ value: href, text }))}
      onInput={(href) => route(href)}
    />
  );
}
