/** What process namespaces are made with. */

/** `--new-session`: init leads a group of its own, so that a signal to it spares the outer bwrap. */
export const namespaceOptions: readonly string[] = [
  ...["--unshare-pid", "--proc", "/proc"],
  ...["--die-with-parent", "--new-session", "--json-status-fd", "3"],
];

/** Of one that sees all files as they are outside. */
export const plainNamespace: readonly string[] = ["--dev-bind", "/", "/", ...namespaceOptions];
