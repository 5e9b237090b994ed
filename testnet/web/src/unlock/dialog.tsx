import { type ComponentChildren, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import css from '../parts/dialog.module.css';
import { useOwnId } from '../parts/own-id.ts';

/**
 * Shows a dialog above the page until `close` is called, somebody closes it or `signal` aborts, and resolves then. `content`
 * gets `close`.
 */
export function openDialog(
  title: string,
  content: (close: () => void) => ComponentChildren,
  signal?: AbortSignal,
): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  const room = document.createElement('div');
  document.body.append(room);
  return new Promise((resolve) => {
    const onClose = (): void => {
      signal?.removeEventListener('abort', onClose);
      render(null, room);
      room.remove();
      resolve();
    };
    signal?.addEventListener('abort', onClose);
    render(<Dialog title={title} content={content} onClose={onClose} />, room);
  });
}

function Dialog({
  title,
  content,
  onClose,
}: {
  readonly title: string;
  content(close: () => void): ComponentChildren;
  onClose(): void;
}) {
  const id = useOwnId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class={css.dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {content(() => dialog.current?.close())}
    </dialog>
  );
}
