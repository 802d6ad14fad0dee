/** Waits that leave nothing behind: when the promise resolves, its timer is gone. */

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Whether `done` (which never rejects) came within `ms`. */
export function within(done: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void done.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** Resolves after everything that the kernel has ready for us was read once. A timer alone may pass before waiting input is looked at. */
export function afterInput(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves after every handle that was closed so far is let go: that is done at the end of a turn, behind the immediates. */
export function afterClosing(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
