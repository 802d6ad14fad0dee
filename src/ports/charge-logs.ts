/** Files in which somebody else wrote down what was charged. They may be larger than memory, and hold anything. */
export interface ChargeLogs {
  /** The text in its order, in pieces; bytes that are no text are replaced. Throws MidwatchError kind usage for a file that is not there or cannot be read. */
  read(path: string): AsyncIterable<string>;
}
