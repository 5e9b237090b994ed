let isBack = false;

/** Whether the page was reached by going back or forward: then it is shown as it was. */
export function cameBack(): boolean {
  return isBack;
}

/** Goes on as long as the page does. */
export function watchHistory(): void {
  const onward = () => {
    isBack = false;
  };
  addEventListener('popstate', () => {
    isBack = true;
  });
  document.addEventListener('click', onward, true);
  document.addEventListener('keydown', onward, true);
}
