/** `--json`, which most commands have and which says the same of each. */
import { Option } from "commander";

export function jsonOption(about = "one JSON value on standard output"): Option {
  return new Option("--json", about);
}
