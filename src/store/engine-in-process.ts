/** Whether the embedded engine runs in this process, for who must end it; free of imports, as --help needs no engine. */

let openEngines = 0;

/** Returns what takes the note back. */
export function noteEngine(): () => void {
  openEngines++;
  let isNoted = true;
  return () => {
    if (isNoted) openEngines--;
    isNoted = false;
  };
}

export function isEngineInProcess(): boolean {
  return openEngines > 0;
}
