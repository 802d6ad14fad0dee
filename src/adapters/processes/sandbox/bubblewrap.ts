/** Mounts as arguments of bubblewrap. The order of its arguments is the order in which it mounts: what lies deeper comes later. */
import type { Mount } from "./mounts.ts";
import { isWithin } from "./mounts.ts";

/**
 * What root keeps. Without the rest it can mount nothing, open no file by its handle, make no device and change no kernel setting, by all of which it would
 * be out again; with these it can still write a tree that belongs to somebody else.
 */
const rootKeeps = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "NET_BIND_SERVICE"];

/** What root alone could write in the process table's file system: a setting there names a program that the kernel starts, outside. */
const kernelFiles = ["sys", "sysrq-trigger", "bus", "fs", "irq", "scsi", "acpi", "mtrr"];

/** The machine's files, as they are seen. */
export function fileArguments(mounts: readonly Mount[]): readonly string[] {
  const hidden = mounts.filter(({ access }) => access === "hidden");
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev"],
    ...mounts.flatMap(mountArguments),
    ...hidden.flatMap(({ at }) => ["--remount-ro", at]), // last: what lies in them needs a place to be mounted at
  ];
}

/** Behind those that make /proc. Of anybody else bubblewrap keeps nothing anyway. */
export function rootArguments(): readonly string[] {
  return [
    ...kernelFiles.flatMap((name) => ["--ro-bind-try", `/proc/${name}`, `/proc/${name}`]),
    ...["--cap-drop", "ALL", ...rootKeeps.flatMap((name) => ["--cap-add", `CAP_${name}`])],
  ];
}

function mountArguments({ access, source, at, mode }: Mount): readonly string[] {
  switch (access) {
    case "private":
      return ["--perms", mode ?? "0700", "--tmpfs", at];
    case "hidden":
      return ["--perms", "0700", "--tmpfs", at];
    case "seen":
    case "read":
      return ["--ro-bind", source, at];
    case "write":
      return [isWithin(at, "/dev") ? "--dev-bind" : "--bind", source, at];
  }
}
